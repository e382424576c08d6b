import { OperatorError } from '../errors.ts'
import { secondMs } from '../lib/clock.ts'
import { log } from '../lib/log.ts'

const againMs = 5_000

/** Logs what something waits for. The same line is logged again only after five seconds, however often it is tried. */
export class WaitingReport {
  readonly #msMax: number
  readonly #beginMs = performance.now()
  #latest = ''
  #latestMs = 0

  /** `msMax`: how long it may wait, for a command, which logs nothing; default: as long as it takes. */
  constructor(msMax = Number.POSITIVE_INFINITY) {
    this.#msMax = msMax
  }

  /** Throws OperatorError if this waits for too long. */
  say(msg: string, fields: Record<string, unknown> = {}): void {
    const line = JSON.stringify([msg, fields])
    const nowMs = performance.now()
    if (nowMs - this.#beginMs > this.#msMax) {
      const what = [msg, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)].join(', ')
      throw new OperatorError(`Nothing has been done in ${this.#msMax / secondMs} seconds: ${what}.`)
    }
    if (line === this.#latest && nowMs - this.#latestMs < againMs) return
    this.#latest = line
    this.#latestMs = nowMs
    log(msg, fields)
  }
}
