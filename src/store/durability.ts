import { close, closeSync, fdatasync, fstatSync, fsyncSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { lockPath } from './lock.ts'
import { rewriteLog } from './log-file.ts'
import { frameHeader, header, littleEndianMagic } from './log-format.ts'
import { type Connection, openConnection } from './open.ts'

const fdatasyncAsync = promisify(fdatasync)
const closeAsync = promisify(close)

/** Makes commits survive a power cut without blocking the event loop. */
export interface Durability {
  /** Resolves when everything committed before the call is on disk. If it fails, the log is suspect. */
  sync(): Promise<void>
  /** Whether part of the log may be missing on disk: nothing is acknowledged or checkpointed until `rewrite` has succeeded. */
  readonly suspect: boolean
  /** Writes the complete log to disk again. The caller holds the write lock. */
  rewrite(): Promise<void>
  close(): Promise<void>
}

/** Does nothing: for a database in memory, and for a connection that syncs its own commits. */
export const noDurability: Durability = {
  suspect: false,
  async sync() {},
  async rewrite() {},
  async close() {},
}

export interface WalDurability extends Durability {
  /** For the worker thread, which checkpoints. */
  logState: LogState
}

/** Shared between threads: 1 while the log is suspect. */
export type LogState = Int32Array<SharedArrayBuffer>

export function newLogState(): LogState {
  return new Int32Array(new SharedArrayBuffer(4))
}

export function isSuspect(state: LogState): boolean {
  return Atomics.load(state, 0) !== 0
}

export function markSuspect(state: LogState): void {
  Atomics.store(state, 0, 1)
}

/**
 * Syncs the write-ahead log of the database at `path`, which must be open, in libuv's thread pool. The log is suspect after a
 * failed sync, because a later sync succeeds without the pages that the failed one lost (log-file.ts), and at the start,
 * because an earlier process may have seen a sync fail. `onLost` is called with the reason when the log no longer holds what was
 * committed, or when a file of the database or the lock is no longer at its path, so that another process would not see the write:
 * the process must end, and the next one recovers what is on disk, which includes everything that was acknowledged.
 */
export function walDurability(path: string, onLost: (reason: string) => void): WalDurability {
  const logState = newLogState()
  markSuspect(logState)
  // SQLite counts the frames: if this process opened and closed the -shm file itself, it would lose all of its locks on it.
  const observer = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  observer.exec('SELECT 1 FROM sqlite_schema')
  const fd = openSync(`${path}-wal`, 'r+')
  const own = [path, `${path}-wal`].map((file) => ({ file, remedy: goneRemedy }))
  // Without the index or the lock, another process would write as if this one were not there.
  const shared = [`${path}-shm`, lockPath(dirname(path))].map((file) => ({ file, remedy: sharedRemedy }))
  const files = [...own, ...shared].map((each) => ({ ...each, identity: identityOf(each.file) }))
  syncDirectory(dirname(path))
  const findGone = () => files.find(({ file, identity }) => identityOf(file) !== identity)
  const lose = (gone = findGone()) => {
    if (gone) onLost(`${noLonger}: ${gone.file} was moved, replaced or removed; ${gone.remedy}`)
    else onLost(`${path}-wal was emptied; ${goneRemedy}`)
  }
  const looking = setInterval(lookForEmptied(fd, observer, lose), lookEveryMs).unref()
  return {
    logState,
    get suspect() {
      return isSuspect(logState)
    },
    async sync() {
      await syncLog(fd, logState)
      const gone = findGone()
      if (gone || hasLostStart(fd)) lose(gone)
    },
    async rewrite() {
      if (!(await rewriteLog(fd, countFrames(observer)))) {
        onLost(differs)
        throw new Error(differs)
      }
      Atomics.store(logState, 0, 0)
    },
    close() {
      clearInterval(looking)
      observer.close()
      return closeAsync(fd)
    },
  }
}

const lookEveryMs = 1_000

const differs = 'the write-ahead log on disk differs from what was committed; a restart recovers what is on disk'
const noLonger = 'the database is no longer in its directory as the server opened it'
const goneRemedy = 'put kontor.db and kontor.db-wal back as they were, or restore a backup with "kontor restore"'
const sharedRemedy = 'start the server again'

/** Says which file is at a path; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * Returns a function that notices a log which was emptied: reads fail then, and so do writes, as they read first. It is too short in two looks,
 * because another connection may truncate it at any moment.
 */
function lookForEmptied(fd: number, observer: Connection, onEmptied: () => void): () => void {
  const frameBytes = frameHeader.bytes + (observer.pragma('page_size', { simple: true }) as number)
  let before = 0
  return () => {
    try {
      const frames = countFrames(observer)
      const isShort = frames > 0 && fstatSync(fd).size < header.bytes + frames * frameBytes
      if ((isShort && frames === before) || hasLostStart(fd)) onEmptied()
      before = isShort ? frames : 0
    } catch {
      before = 0 // a disk that cannot be read is no emptied log
    }
  }
}

/** Whether the log was emptied: SQLite goes on writing behind the gap, and the next start would not see any of that. */
function hasLostStart(fd: number): boolean {
  const start = Buffer.alloc(4)
  return readSync(fd, start, 0, 4, header.magicAt) === 4 && start.readUInt32BE() !== littleEndianMagic
}

/** Syncs the log for another thread that writes. */
export function logSync(path: string, state: LogState): Pick<Durability, 'sync' | 'close'> {
  const fd = openSync(`${path}-wal`, 'r+')
  return { sync: () => syncLog(fd, state), close: () => closeAsync(fd) }
}

async function syncLog(fd: number, state: LogState): Promise<void> {
  try {
    await fdatasyncAsync(fd)
  } catch (error) {
    markSuspect(state)
    throw error
  }
}

/** The number of committed frames in the log. */
export function countFrames(db: Connection): number {
  const [{ log }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number }]
  return log
}

/** Makes the names of the files in a directory survive a power cut, too. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
