import type { Joined } from './join.ts'
import type { NodeReport } from './log.ts'

const everyMs = 1_000
/** After which time a report that says nothing new is made again: etcd keeps each of them until the log is trimmed. */
const repeatedMs = 60_000

/** Tells the log from time to time what this node has. */
export class Reports {
  readonly #joined: Joined
  readonly #prepare: () => Promise<NodeReport>
  #last = { text: '', ms: 0 }
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
    const report = await this.#prepare()
    const [text, ms] = [`${lease.id} ${JSON.stringify(report)}`, performance.now()]
    if (text === this.#last.text && ms < this.#last.ms + repeatedMs) return
    await log.report(report, lease.id)
    this.#last = { text, ms }
  }
}
