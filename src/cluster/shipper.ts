import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import type { LogMeasures } from '../http/metrics.ts'
import { secondMs } from '../lib/clock.ts'
import { errorFields, log as report } from '../lib/log.ts'
import type { LogPosition } from '../store/log-position.ts'
import { encodeEntry } from './entry.ts'
import type { Head, Log } from './log.ts'
import type { Trimmer } from './trimmer.ts'
import type { WalReader } from './wal-reader.ts'

const retryMs = 50
/** How long, in milliseconds, a write waits for the log. */
const waitMsMax = 3_000
/** After this time without success, writes are refused at once. */
const failingMsMax = 1_000

interface Waiter {
  turn: number
  resolve(): void
}

interface ShipperOptions {
  log: Log
  head: Head
  trimmer: Trimmer
  reader: WalReader
  /** What other threads' snapshots show. What is committed is counted as the next entry before it is one. */
  shown: LogPosition
  /** The number of committed frames in the write-ahead log. */
  countFrames(): number
  /** Called when another node leads, or the log on this machine cannot be read: the process must end. */
  onReplaced(reason: string): void
}

/** Appends the commits of the leader to the log, in their order. */
export class Shipper {
  readonly trimmer: Trimmer
  readonly #options: ShipperOptions
  #head: Head
  #asked = 0
  #shipped = 0
  /** The position of the last complete entry. */
  #whole: number
  #running = false
  /** Pending while `passOver` runs. */
  #passing: Promise<void> | undefined
  #waiting: Waiter[] = []
  #failingSinceMs = 0
  #hasEnded = false
  /** How long the latest append took. */
  #appendMs = 0

  constructor(options: ShipperOptions) {
    this.#options = options
    this.trimmer = options.trimmer
    this.#head = options.head
    this.#whole = options.head.position
  }

  get head(): Head {
    return this.#head
  }

  get measures(): Pick<LogMeasures, 'isFailing' | 'behindSeconds' | 'appendSeconds' | 'bytes'> {
    const isFailing = this.#failingSinceMs > 0
    const behindSeconds = isFailing ? (performance.now() - this.#failingSinceMs) / secondMs : 0
    const bytes = this.trimmer.bytesOf(this.#head)
    return { isFailing, behindSeconds, appendSeconds: this.#appendMs / secondMs, bytes }
  }

  /** Resolves with whether no other node has led since this one began to. */
  async isCurrent(): Promise<boolean> {
    return (await this.replacement()) === undefined
  }

  /** Why this node no longer leads; undefined: it does. */
  async replacement(): Promise<string | undefined> {
    const { head } = await this.#options.log.read(Number.MAX_SAFE_INTEGER)
    if (!head) return 'the log is no longer in etcd'
    const { log, epoch, owner } = this.#head
    return head.log === log && head.epoch === epoch && head.owner === owner ? undefined : 'another node leads'
  }

  /** Throws 503 SERVICE_UNAVAILABLE if the log does not accept entries at present. Nothing has been done. */
  requireWritable(): void {
    if (this.#failingSinceMs > 0 && performance.now() - this.#failingSinceMs > failingMsMax) {
      throw new ApiError('SERVICE_UNAVAILABLE', 'The log of changes cannot be written at present: try again', {
        headers: { 'Retry-After': '1' },
      })
    }
  }

  /** Resolves when everything committed before the call is in the log. Throws 503 after some seconds; then it may still get there. */
  ship(): Promise<void> {
    const turn = ++this.#asked
    this.#show()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(unconfirmed()), waitMsMax)
    this.#waiting.push({
      turn,
      resolve() {
        clearTimeout(timer)
        resolve()
      },
    })
    if (!this.#running) void this.#run()
    return promise
  }

  /**
   * Passes over what `run` commits, which changes nothing that is stored. The caller holds the write lock, and everything before is shipped: who asks
   * for more meanwhile, such as another thread for what it had committed before, waits.
   */
  async passOver<T>(run: () => Promise<T>): Promise<T> {
    const { reader, countFrames } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#passing = promise
    try {
      return await run()
    } finally {
      this.#passing = undefined
      resolve() // those who wait continue after this
      reader.readNew(countFrames)
    }
  }

  /** Trims the log if it is too large although nothing is written. */
  async upkeep(): Promise<void> {
    const { trimmer } = this
    if (trimmer.isWaiting) trimmer.releaseFor(await this.#options.log.nodes())
    if (trimmer.isTooLarge(this.#head)) await this.ship().catch(() => {}) // the next call tries again
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      while (this.#waiting.length > 0 && !this.#hasEnded) {
        const turn = this.#asked
        await this.#shipOnce()
        this.#shipped = turn
        this.#whole = this.#head.position
        this.#show()
        const done = this.#waiting.filter((each) => each.turn <= turn)
        this.#waiting = this.#waiting.filter((each) => each.turn > turn)
        for (const { resolve } of done) resolve()
      }
    } catch (error) {
      this.#end(`the write-ahead log cannot be read: ${(error as Error).message}`)
    }
    this.#running = false
  }

  #show(): void {
    this.#options.shown.move(this.#whole + (this.#asked > this.#shipped ? 1 : 0))
  }

  async #shipOnce(): Promise<void> {
    const { reader, countFrames } = this.#options
    while (this.#passing) await this.#passing
    const read = reader.readNew(countFrames)
    const parts = read ? await encodeEntry(read, this.#head.epoch) : []
    for (const [at, part] of parts.entries()) {
      if (!(await this.#append(part, at + 1 === parts.length)))
        return this.#end((await this.replacement().catch(() => undefined)) ?? 'another node leads')
    }
    if (this.trimmer.isTooLarge(this.#head)) await this.trimmer.trim(this.#head)
  }

  /** Appends a part under the next number, as often as it takes. Returns false if another node has replaced this one. */
  async #append(part: Buffer, isLast: boolean): Promise<boolean> {
    const begin = performance.now()
    const { position, bytes } = this.#head
    const after = { ...this.#head, position: position + 1, bytes: bytes + part.length }
    const isMarked = isLast && this.trimmer.marks(after)
    for (;;) {
      try {
        if (!(await this.#options.log.advance(this.#head, after, part, isMarked))) return false
        this.#head = after
        this.#failingSinceMs = 0
        this.#appendMs = performance.now() - begin
        return true
      } catch (error) {
        if (this.#failingSinceMs === 0) report('the log could not be written', errorFields(error), 'error')
        this.#failingSinceMs ||= begin
        await delay(retryMs)
      }
    }
  }

  #end(reason: string): void {
    this.#hasEnded = true
    this.#options.onReplaced(reason)
  }
}

function unconfirmed(): ApiError {
  const message = 'The log did not confirm the write in time: it is not known whether it is kept'
  return new ApiError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '1' } })
}
