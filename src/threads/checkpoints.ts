import { statSync } from 'node:fs'
import { errorFields, log } from '../lib/log.ts'
import { codeOf } from '../store/constraint.ts'
import { isSuspect, type LogState, markSuspect } from '../store/durability.ts'
import type { ErasureWatch, WaitingErasures } from '../store/erasure-watch.ts'
import { frameHeader } from '../store/log-format.ts'
import type { Connection } from '../store/open.ts'

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
 * Moves the content of the write-ahead log into the database file from time to time. After an erasure, which `watch` notices, it truncates the
 * log as soon as no reader needs it. `tell` is called while erasures wait for that, and when none does any more.
 */
export function startCheckpoints(
  db: Connection,
  logState: LogState,
  watch?: ErasureWatch,
  tell: (waiting: WaitingErasures) => void = () => {},
): { stop(): void } {
  const known: Known = { fullFrames: 0, checksSince: 0, heldAt: -1, failure: undefined }
  const timer = setInterval(() => {
    const before = watch?.waiting.count
    checkpointIfSafe(db, logState, known, watch)
    if (watch && (before || watch.waiting.count)) tell(watch.waiting)
  }, checkpointEveryMs)
  return { stop: () => clearInterval(timer) }
}

/** If the log is not completely on disk, a power cut during a checkpoint would leave a database that cannot be repaired. */
function checkpointIfSafe(db: Connection, logState: LogState, known: Known, watch: ErasureWatch | undefined): void {
  try {
    const fileBytes = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const due = watch?.look(fileBytes)
    if (isSuspect(logState)) return
    if (due) watch!.tried(due, truncate(db))
    else checkpoint(db, fileBytes, known)
    known.failure = undefined
  } catch (error) {
    markSuspect(logState) // the sync of the log may have failed
    const failure = codeOf(error)
    if (failure !== known.failure) log('the checkpoint failed', errorFields(error), 'error')
    known.failure = failure
  }
}

/** The length of the log, and how much of it is in the database, in frames; `busy`: another connection was in the way. */
interface Progress {
  busy: number
  log: number
  checkpointed: number
}

/** While much is written, the log is overwritten rather than truncated: the file system would have to find new space for each write. */
function checkpoint(db: Connection, fileBytes: number, known: Known): void {
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
