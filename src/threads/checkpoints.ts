import { statSync } from 'node:fs'
import { errorFields, log } from '../lib/log.ts'
import { codeOf, isBusy } from '../store/constraint.ts'
import { isSuspect, type LogState, markSuspect } from '../store/durability.ts'
import type { ErasureWatch, WaitingErasures } from '../store/erasure-watch.ts'
import { Gaps, overwriteGaps } from '../store/gaps.ts'
import { frameHeader } from '../store/log-format.ts'
import { type Connection, openConnection } from '../store/open.ts'

const checkpointEveryMs = 1_000
/** A smaller log is not worth the sync of a checkpoint. */
const walBytesMin = 4 * 2 ** 20
/** A log with more content begins anew, even if writers have to wait for a moment. */
const walBytesMax = 64 * 2 ** 20
/** How much of the log may be left for that moment. Readers that come and go always need the latest commits. */
const leftBytesMax = 8 * 2 ** 20
/** How often a full log is moved in one check, while as much is written meanwhile. */
const passesMax = 5
/** A larger file is truncated if the log has not been full in so many checks. */
const calmChecksMin = 30
/** How long, in milliseconds, a checkpoint may hold the write lock while it waits for a reader. */
const lockedMsMax = 50

/** What is known of the checks before. */
interface Known {
  /** The length of the log in frames when it was last full. If it has another length now, it has been written to. */
  fullFrames: number
  checksSince: number
  /** How much of it had been moved when a reader kept it from beginning anew. */
  heldAt: number
  /** The code of the error with which checkpoints fail. */
  failure: string | undefined
}

/**
 * Moves the content of the write-ahead log into the database file from time to time. After an erasure, which `watch` notices, it overwrites the gaps
 * of pages, and truncates the log as soon as no reader needs it. `tell` is called while erasures wait for that, and when none does any more.
 */
export function startCheckpoints(
  db: Connection,
  logState: LogState,
  watch?: ErasureWatch,
  tell: (waiting: WaitingErasures) => void = () => {},
): { stop(): Promise<void> } {
  const known: Known = { fullFrames: 0, checksSince: 0, heldAt: -1, failure: undefined }
  const overwriter = new Overwriter(db.name, () => !isSuspect(logState))
  let removing: Promise<void> | undefined
  const note = (error?: unknown) => {
    const failure = error === undefined ? undefined : codeOf(error)
    if (error !== undefined) markSuspect(logState) // the sync of the log may have failed
    if (failure !== undefined && failure !== known.failure) log('the checkpoint failed', errorFields(error), 'error')
    known.failure = failure
  }
  const check = () => {
    try {
      const due = watch?.look()
      // If the log is not completely on disk, a power cut during a checkpoint would leave a database that cannot be repaired.
      if (isSuspect(logState)) return
      if (due) {
        removing = watch!
          .remove(due, { overwrite: () => overwriter.run(), truncate: () => truncate(db) })
          .then(() => note(), note)
          .finally(() => {
            removing = undefined
          })
        return
      }
      checkpoint(db, known)
      if (!watch?.waiting.count) note()
    } catch (error) {
      note(error)
    }
  }
  const timer = setInterval(() => {
    const before = watch?.waiting.count
    if (!removing) check()
    if (watch && (before || watch.waiting.count)) tell(watch.waiting)
  }, checkpointEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      overwriter.stop()
      await removing
      overwriter.close()
    },
  }
}

/** Overwrites the gaps of a database's pages. Nothing is opened before that. */
class Overwriter {
  readonly #path: string
  readonly #isSafe: () => boolean
  #isStopping = false
  #lock: Connection | undefined
  #gaps: Gaps | undefined

  constructor(path: string, isSafe: () => boolean) {
    this.#path = path
    this.#isSafe = isSafe
  }

  /** Returns false if it was stopped, or is not safe any more. */
  run(): Promise<boolean> {
    this.#lock ??= openConnection(this.#path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#gaps ??= new Gaps(this.#path)
    const [lock, gaps] = [this.#lock, this.#gaps]
    const goesOn = () => !this.#isStopping && this.#isSafe()
    const clear = () => {
      if (!tryLock(lock)) return false
      try {
        return goesOn() && gaps.clear()
      } finally {
        lock.exec('COMMIT') // of nothing: it releases the lock
      }
    }
    return overwriteGaps({ look: () => gaps.look(), clear, end: () => gaps.end() }, goesOn)
  }

  stop(): void {
    this.#isStopping = true
  }

  close(): void {
    this.#gaps?.close()
    this.#lock?.close()
  }
}

/** Takes the write lock. Returns false if another connection has it. */
function tryLock(connection: Connection): boolean {
  try {
    connection.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/** The length of the log, and how much of it is in the database, in frames; `busy`: another connection was in the way. */
interface Progress {
  busy: number
  log: number
  checkpointed: number
}

/** While much is written, the log is overwritten rather than truncated: the file system would have to find new space for each write. */
function checkpoint(db: Connection, known: Known): void {
  const fileBytes = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (fileBytes <= walBytesMin) return
  const frameBytes = frameHeader.bytes + (db.pragma('page_size', { simple: true }) as number)
  const { busy, log: frames, checkpointed } = move(db, frameBytes)
  // While a reader (a backup, a replication) still needs part of the log, it cannot begin anew, and writers would wait in vain.
  const left = frames - checkpointed
  const isHeld = left > 0 && checkpointed === known.heldAt
  if (busy !== 0 || fileBytes <= walBytesMax || left * frameBytes > leftBytesMax || isHeld) return
  const isFull = frames * frameBytes > walBytesMax && frames !== known.fullFrames
  if (!isFull && ++known.checksSince < calmChecksMin) return
  known.fullFrames = frames
  known.checksSince = 0
  db.pragma(`busy_timeout = ${lockedMsMax}`)
  known.heldAt = run(db, isFull ? 'RESTART' : 'TRUNCATE').busy === 0 ? -1 : checkpointed
}

/** Moves what no reader needs; of a full log until little is left, or a reader needs that for longer. */
function move(db: Connection, frameBytes: number): Progress {
  for (let pass = 1, before = -1; ; pass++) {
    const { busy } = run(db, 'PASSIVE')
    const now = run(db, 'NOOP')
    const isSmall = now.log * frameBytes <= walBytesMax || (now.log - now.checkpointed) * frameBytes <= leftBytesMax
    const isDone = isSmall || now.checkpointed === before
    if (busy !== 0 || isDone || pass >= passesMax) return { ...now, busy }
    before = now.checkpointed
  }
}

function run(db: Connection, mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE'): Progress {
  const [progress] = db.pragma(`wal_checkpoint(${mode})`) as [Progress]
  return progress
}

/** Moves the complete log and truncates it. Returns false if a reader needs it. */
function truncate(db: Connection): boolean {
  run(db, 'PASSIVE') // without the write lock
  db.pragma(`busy_timeout = ${lockedMsMax}`)
  return run(db, 'TRUNCATE').busy === 0
}
