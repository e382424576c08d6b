import { closeSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs'
import { FailureLog } from '../lib/failure-log.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { Thread } from '../lib/thread.ts'
import { startThread } from '../packaging/embedded.ts'
import { touchSql } from '../store/disk-state.ts'
import { countFrames } from '../store/durability.ts'
import { ErasureWatch, type WaitingErasures } from '../store/erasure-watch.ts'
import { erasuresReader } from '../store/erasures.ts'
import { overwriteGaps } from '../store/gaps.ts'
import { frameHeader, header } from '../store/log-format.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { whenFree } from '../store/when-free.ts'
import type { CheckpointOrder, CheckpointReport } from '../threads/checkpoint-thread.ts'
import { logSaltsOf } from './wal-reader.ts'

const everyMs = 1_000
/** As for a server without a log (threads/checkpoints.ts). */
const walBytesMin = 4 * 2 ** 20
const walBytesMax = 64 * 2 ** 20

interface Shipping {
  /** Resolves when everything committed is in the log. */
  ship(): Promise<void>
  /** What `run` commits is not needed in the log. */
  passOver<T>(run: () => Promise<T>): Promise<T>
}

interface CheckpointOptions {
  /** The database. */
  path: string
  /** Undefined while this node follows. */
  shipping(): Shipping | undefined
  /** Whether the write-ahead log is on disk completely; otherwise a power cut during a checkpoint could damage the database. */
  isSafe(): boolean
  /** Makes it safe. */
  confirm?(): Promise<void>
}

/**
 * Moves the write-ahead log into the database from time to time. A write-ahead log that has been moved completely is overwritten by the next
 * commit, so a leader moves only what the log in etcd has.
 */
export class Checkpoints {
  readonly #path: string
  readonly #shipping: CheckpointOptions['shipping']
  readonly #isSafe: () => boolean
  readonly #confirm: () => Promise<void>
  readonly #watch: ErasureWatch
  /** Takes the write lock, so that nothing is committed. */
  readonly #lock: Connection
  /** Reads as of a moment, so that nothing later is moved. */
  readonly #guard: Connection
  #thread: Thread<CheckpointOrder | 'stop', CheckpointReport> | undefined
  #answer: ((report: CheckpointReport) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  /** Until the thread begins again. */
  #restart: NodeJS.Timeout | undefined
  #isStopping = false
  readonly #failures = new FailureLog('the checkpoint failed')
  /** The checkpoint that runs, or the last one. */
  #current: Promise<void> = Promise.resolve()
  /** Runs what needs the write lock's connection when nothing else does. */
  readonly #inTurn = oneAtATime()

  constructor({ path, shipping, isSafe, confirm = async () => {} }: CheckpointOptions) {
    this.#path = path
    this.#shipping = shipping
    this.#isSafe = isSafe
    this.#confirm = confirm
    this.#lock = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#guard = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#watch = new ErasureWatch(erasuresReader(this.#guard))
    this.#start()
    this.#next()
  }

  /**
   * Runs `run` while nothing is committed and everything that was committed is in the log: one call at a time, and beside no checkpoint of a node that
   * follows. Throws 503 SERVICE_UNAVAILABLE.
   */
  whileShipped<T>(run: () => T | Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#whileShipped(run))
  }

  async #whileShipped<T>(run: () => T | Promise<T>): Promise<T> {
    await whenFree(() => this.#lock.exec('BEGIN IMMEDIATE'))
    try {
      await this.#shipping()?.ship()
      return await run()
    } finally {
      this.#lock.exec('ROLLBACK')
    }
  }

  /** The erasures of which the files on this machine may still have something. */
  get erasures(): WaitingErasures {
    return this.#watch.waiting
  }

  /** Resolves when nothing is written here any more: a checkpoint may commit what is not in the log yet. */
  async pause(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    clearTimeout(this.#restart)
    await this.#current
  }

  async stop(): Promise<void> {
    await this.pause()
    await this.#thread?.end('stop')
    this.#lock.close()
    this.#guard.close()
  }

  #next(): void {
    this.#timer = setTimeout(() => {
      this.#current = this.#runOnce()
    }, everyMs)
  }

  async #runOnce(): Promise<void> {
    await this.#checkpoint().then(
      () => this.#failures.clear(),
      (error) => this.#failures.note(error),
    )
    if (!this.#isStopping) this.#next()
  }

  async #checkpoint(): Promise<void> {
    const due = this.#watch.look()
    if (due && !this.#isSafe()) await this.#confirm()
    if (!this.#isSafe()) return
    if (due)
      return this.#watch.remove(due, { overwrite: () => this.#overwriteGaps(), truncate: () => this.#truncate() })
    const bytes = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (bytes <= walBytesMin) return
    if ((await this.#moveFollowed(bytes > walBytesMax)) !== undefined) return
    await this.whileShipped(() => this.#guard.exec('BEGIN; SELECT 1 FROM sqlite_schema'))
    try {
      await this.#ask('PASSIVE')
    } finally {
      this.#guard.exec('COMMIT')
    }
    if (bytes > walBytesMax) await this.whileShipped(() => this.#ask('PASSIVE'))
  }

  /**
   * Moves the log of a node that follows, which does not begin to lead before this has ended: it would move what is not in the log yet. Returns whether
   * everything was moved and, if asked for, truncated; undefined if the node leads.
   */
  #moveFollowed(truncates: boolean): Promise<boolean | undefined> {
    return this.#inTurn(async () => {
      if (this.#shipping()) return undefined
      return (await this.#ask('PASSIVE')) && (!truncates || this.#ask('TRUNCATE'))
    })
  }

  /** Each node overwrites those of its own file: what it commits for that changes nothing that is stored, so a leader does not ship it. */
  #overwriteGaps(): Promise<boolean> {
    const goesOn = () => !this.#isStopping && this.#isSafe()
    const ask = async () => goesOn() && this.#ask('clear')
    const clear = () => this.#shipping()?.passOver(ask) ?? ask()
    return overwriteGaps(
      { look: () => this.#ask('look'), clear: () => this.whileShipped(clear), end: () => this.#ask('end') },
      goesOn,
    )
  }

  /** Leaves nothing in the write-ahead log's file that has been overwritten in the database. Returns false if a reader needs it. */
  async #truncate(): Promise<boolean> {
    const isEmpty = await this.#moveFollowed(true)
    if (isEmpty !== undefined) return isEmpty
    const before = logSaltsOf(this.#path)
    if (!(await this.whileShipped(() => this.#ask('PASSIVE')))) return false
    await this.#inTurn(() => whenFree(() => this.#lock.exec(touchSql))) // a commit begins the log anew if no reader needs it
    return this.whileShipped(() => {
      const isNew = logSaltsOf(this.#path) !== before
      if (isNew) cutLog(this.#path, countFrames(this.#guard))
      return isNew
    })
  }

  /** Returns whether the write-ahead log has been moved completely, or what the step returns. Throws Error if the disk failed. */
  async #ask(order: CheckpointOrder): Promise<boolean> {
    if (!this.#thread) return false
    const { promise, resolve } = Promise.withResolvers<CheckpointReport>()
    this.#answer = resolve
    this.#thread.post(order)
    const report = await promise
    if ('failed' in report) throw new Error(report.failed)
    return report.isComplete
  }

  #start(): void {
    this.#thread = new Thread(startThread('checkpoint-thread', { path: this.#path }), {
      onReport: (report) => this.#answer?.(report),
      onError: (error) => this.#answer?.({ failed: (error as Error).message }),
      onExit: () => {
        this.#thread = undefined
        this.#answer?.({ failed: 'The thread ended' })
        if (!this.#isStopping) this.#restart = setTimeout(() => this.#start(), everyMs)
      },
    })
  }
}

/**
 * Removes from the file what follows the first `frames` frames: those of logs before. The caller holds the write lock. SQLite locks the file with the
 * ending -shm, so closing this one ends none of its locks.
 */
function cutLog(path: string, frames: number): void {
  const fd = openSync(`${path}-wal`, 'r+')
  try {
    const size = Buffer.alloc(4)
    readSync(fd, size, 0, size.length, header.pageSizeAt)
    ftruncateSync(fd, header.bytes + frames * (frameHeader.bytes + size.readUInt32BE()))
  } finally {
    closeSync(fd)
  }
}
