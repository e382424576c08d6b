import { statSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { CheckpointMode, CheckpointReport } from '../jobs/checkpoint-thread.ts'
import { errorFields, log } from '../lib/log.ts'
import { startThread } from '../packaging/embedded.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { whenFree } from '../store/when-free.ts'

const everyMs = 1_000
/** As for a server without a log (jobs/checkpoints.ts). */
const walBytesMin = 4 * 2 ** 20
const walBytesMax = 64 * 2 ** 20

interface CheckpointOptions {
  /** The database. */
  path: string
  /** Resolves when everything committed is in the log; undefined while this node follows. */
  shipping(): { ship(): Promise<void> } | undefined
  /** Whether the write-ahead log is on disk completely; otherwise a power cut during a checkpoint could damage the database. */
  isSafe(): boolean
}

/**
 * Moves the write-ahead log into the database from time to time. A write-ahead log that has been moved completely is overwritten by the next
 * commit, so a leader moves only what the log in etcd has.
 */
export class Checkpoints {
  readonly #path: string
  readonly #shipping: CheckpointOptions['shipping']
  readonly #isSafe: () => boolean
  /** Takes the write lock, so that nothing is committed. */
  readonly #lock: Connection
  /** Reads as of a moment, so that nothing later is moved. */
  readonly #guard: Connection
  #thread: Worker | undefined
  #answer: ((report: CheckpointReport) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor({ path, shipping, isSafe }: CheckpointOptions) {
    this.#path = path
    this.#shipping = shipping
    this.#isSafe = isSafe
    this.#lock = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#guard = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#start()
    this.#next()
  }

  /** Runs `run` while nothing is committed and everything that was committed is in the log. Throws 503 SERVICE_UNAVAILABLE. */
  async whileShipped<T>(run: () => T | Promise<T>): Promise<T> {
    await whenFree(() => this.#lock.exec('BEGIN IMMEDIATE'))
    try {
      await this.#shipping()?.ship()
      return await run()
    } finally {
      this.#lock.exec('ROLLBACK')
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    const thread = this.#thread
    if (thread) {
      const exited = new Promise((resolve) => thread.once('exit', resolve))
      thread.postMessage('stop')
      await exited
    }
    this.#lock.close()
    this.#guard.close()
  }

  #next(): void {
    this.#timer = setTimeout(async () => {
      await this.#checkpoint().catch((error) => log('the checkpoint failed', errorFields(error), 'error'))
      if (!this.#isStopping) this.#next()
    }, everyMs)
  }

  async #checkpoint(): Promise<void> {
    const bytes = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (bytes <= walBytesMin || !this.#isSafe()) return
    if (!this.#shipping()) {
      const isComplete = await this.#ask('PASSIVE')
      if (isComplete && bytes > walBytesMax) await this.#ask('TRUNCATE')
      return
    }
    await this.whileShipped(() => this.#guard.exec('BEGIN; SELECT 1 FROM sqlite_schema'))
    try {
      await this.#ask('PASSIVE')
    } finally {
      this.#guard.exec('COMMIT')
    }
    if (bytes > walBytesMax) await this.whileShipped(() => this.#ask('PASSIVE'))
  }

  /** Returns whether the write-ahead log has been moved completely. Throws Error if the disk failed. */
  async #ask(mode: CheckpointMode): Promise<boolean> {
    if (!this.#thread) return false
    const { promise, resolve } = Promise.withResolvers<CheckpointReport>()
    this.#answer = resolve
    this.#thread.postMessage(mode)
    const report = await promise
    if ('failed' in report) throw new Error(report.failed)
    return report.isComplete
  }

  #start(): void {
    const thread = startThread('checkpoint-thread', { path: this.#path })
    thread.on('message', (report: CheckpointReport) => this.#answer?.(report))
    thread.on('error', (error: Error) => this.#answer?.({ failed: error.message }))
    thread.on('exit', () => {
      this.#thread = undefined
      this.#answer?.({ failed: 'The thread ended' })
      if (!this.#isStopping) setTimeout(() => this.#start(), everyMs)
    })
    this.#thread = thread
  }
}
