import { log } from '../lib/log.ts'

const againMs = 5_000

/** Logs what something waits for. The same line is logged again only after five seconds, however often it is tried. */
export class WaitingReport {
  #latest = ''
  #latestMs = 0

  say(msg: string, fields: Record<string, unknown> = {}): void {
    const line = JSON.stringify([msg, fields])
    const nowMs = performance.now()
    if (line === this.#latest && nowMs - this.#latestMs < againMs) return
    this.#latest = line
    this.#latestMs = nowMs
    log(msg, fields)
  }
}
