import { uptime } from 'node:os'
import { secondMs } from '../lib/clock.ts'
import { FailureLog } from '../lib/failure-log.ts'
import type { Leader, Log } from './log.ts'
import { WaitingReport } from './waiting-report.ts'

/** How much earlier than etcd this node considers its lease ended, for the difference between two clocks in the time of a lease. */
const marginMs = 200
const retryMs = 200

/** The time that passes also while the machine is suspended. */
function bootMs(): number {
  return uptime() * secondMs
}

/** A lease that is kept alive. The keys of this node are bound to it, so they end some seconds after the node. */
export class Lease {
  readonly #log: Log
  readonly #seconds: number
  #id = ''
  /** The lease under which this node was the one that may lead. */
  #leadingId = ''
  #endMs = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isHeldNow: boolean | undefined
  readonly #failures = new FailureLog('the lease could not be renewed')

  constructor(log: Log, seconds: number) {
    this.#log = log
    this.#seconds = seconds
  }

  get id(): string {
    return this.#id
  }

  /** Whether this node certainly is the one that may lead. Before it had a new lease, another one may have been. */
  get leads(): boolean {
    return this.isHeld && this.#id === this.#leadingId
  }

  /** Tries to make this node the one that may lead. `isCurrent`: whether nobody has led since it did. Returns whether both are so. */
  async campaign(self: Leader, isCurrent: () => Promise<boolean> = async () => true): Promise<boolean> {
    const id = this.#id
    const leads = (await this.#log.campaign(self, id)) && (await isCurrent())
    this.#leadingId = leads ? id : ''
    return leads
  }

  /** Whether the lease certainly lasts. Read at most once in a turn of the event loop. */
  get isHeld(): boolean {
    if (this.#isHeldNow !== undefined) return this.#isHeldNow
    setImmediate(() => {
      this.#isHeldNow = undefined
    })
    this.#isHeldNow = bootMs() < this.#endMs
    return this.#isHeldNow
  }

  /** Resolves when there is a lease, which may take as long as etcd cannot be reached, or is full. Throws as `WaitingReport.say`. */
  async open(waiting = new WaitingReport()): Promise<void> {
    for (let failure = await this.#renew(); failure; failure = await this.#renew()) {
      waiting.say('waiting for etcd', { reason: String(failure) })
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    this.#renewLater()
  }

  /** Ends the lease, and with it the keys that are bound to it. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.#id !== '') await this.#log.revoke(this.#id).catch(() => {}) // it ends by itself
  }

  #renewLater(): void {
    const everyMs = Math.min(1, this.#seconds / 4) * secondMs
    const next = () => this.#renew().then(() => !this.#isClosed && this.#renewLater())
    this.#timer = setTimeout(next, this.isHeld ? everyMs : retryMs)
  }

  /** Returns why there is no lease; undefined if there is one. */
  async #renew(): Promise<unknown> {
    const begin = bootMs()
    try {
      const left = this.#id === '' ? 0 : await this.#log.keepAlive(this.#id)
      const isNew = !(left > 0)
      if (isNew) this.#id = await this.#log.grant(this.#seconds)
      this.#endMs = begin + (isNew ? this.#seconds : left) * secondMs - marginMs
      this.#failures.clear()
      return undefined
    } catch (error) {
      if (this.#id !== '' && !this.isHeld) this.#failures.note(error)
      return error
    }
  }
}
