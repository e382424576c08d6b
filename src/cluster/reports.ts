import type { Joined } from './join.ts'
import type { NodeReport } from './log.ts'

const everyMs = 1_000

/** Tells the log from time to time what this node has. */
export class Reports {
  readonly #joined: Joined
  readonly #prepare: () => Promise<NodeReport>
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(joined: Joined, prepare: () => Promise<NodeReport>) {
    this.#joined = joined
    this.#prepare = prepare
  }

  start(): void {
    this.#timer = setTimeout(async () => {
      await this.#report().catch(() => {}) // the next one tells the same
      if (!this.#isStopped) this.start()
    }, everyMs)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #report(): Promise<void> {
    const { log, lease } = this.#joined
    await log.report(await this.#prepare(), lease.id)
  }
}
