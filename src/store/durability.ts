import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { rewriteLog } from './log-file.ts'
import { type Connection, openConnection } from './open.ts'

const fdatasyncAsync = promisify(fdatasync)
const closeAsync = promisify(close)

/** Makes commits survive a power cut without the event loop waiting for the disk. */
export interface Durability {
  /** Resolves when everything committed before the call is on the disk. Once it has failed, nothing is proven. */
  sync(): Promise<void>
  /** Whether the log is on the disk up to the last sync: else no later commit can rely on it, and nothing may be checkpointed. */
  readonly proven: boolean
  /** Brings the whole log to the disk anew. The caller holds the write lock. */
  prove(): Promise<void>
  close(): Promise<void>
}

/** For a database that is kept nowhere, or whose connection waits for the disk itself. */
export const noDurability: Durability = {
  proven: true,
  async sync() {},
  async prove() {},
  async close() {},
}

export interface WalDurability extends Durability {
  /** For the thread that checkpoints. */
  doubt: Doubt
}

/** Shared between threads: whether some of what is in the log may be missing on the disk. */
export type Doubt = Int32Array<SharedArrayBuffer>

export function isDoubtful(doubt: Doubt): boolean {
  return Atomics.load(doubt, 0) !== 0
}

export function raiseDoubt(doubt: Doubt): void {
  Atomics.store(doubt, 0, 1)
}

/**
 * Syncs the write-ahead log of the database at `path` in libuv's thread pool. The database must be open. After a sync that
 * failed, Linux takes the pages that it could not write for clean: the next sync succeeds without them. So nothing is
 * relied on until the log has been written anew; nor at the start, where an earlier process may have seen a sync fail.
 * `onLost` is told when the log no longer holds what was committed: the process has to end, so that the next one reads what there is.
 */
export function walDurability(path: string, onLost: () => void): WalDurability {
  const doubt: Doubt = new Int32Array(new SharedArrayBuffer(4))
  raiseDoubt(doubt)
  // Reading the index beside the log ourselves, and closing it, would end all of this process's locks on it.
  const observer = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  observer.exec('SELECT 1 FROM sqlite_schema')
  const fd = openSync(`${path}-wal`, 'r+')
  syncDirectory(dirname(path))
  return {
    doubt,
    get proven() {
      return !isDoubtful(doubt)
    },
    sync: () => syncLog(fd, doubt),
    async prove() {
      if (!(await rewriteLog(fd, countFrames(observer)))) {
        onLost()
        throw new Error('The log no longer holds what was committed')
      }
      Atomics.store(doubt, 0, 0)
    },
    close() {
      observer.close()
      return closeAsync(fd)
    },
  }
}

/** For a thread that writes beside the one whose durability it is: a sync of its own that fails raises the doubt of both. */
export function logSync(path: string, doubt: Doubt): Pick<Durability, 'sync' | 'close'> {
  const fd = openSync(`${path}-wal`, 'r+')
  return { sync: () => syncLog(fd, doubt), close: () => closeAsync(fd) }
}

async function syncLog(fd: number, doubt: Doubt): Promise<void> {
  try {
    await fdatasyncAsync(fd)
  } catch (error) {
    raiseDoubt(doubt)
    throw error
  }
}

/** Of all commits that the log holds. */
function countFrames(db: Connection): number {
  const [{ log }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number }]
  return log
}

/** Makes the names of the files in a directory survive, too. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
