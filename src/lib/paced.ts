/** How long, in milliseconds, jobs run before others get a turn, and how long the others get if jobs remain. */
const sliceMs = 2

/** Runs short jobs soon, in the order of their requests, and never for more than half of the time. A job that already waits is not added again. */
export class Paced {
  readonly #jobs = new Set<() => void>()
  #isScheduled = false

  add(job: () => void): void {
    this.#jobs.add(job)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#run())
  }

  remove(job: () => void): void {
    this.#jobs.delete(job)
  }

  #run(): void {
    const end = performance.now() + sliceMs
    for (const job of this.#jobs) {
      this.#jobs.delete(job)
      job()
      if (performance.now() >= end) break
    }
    this.#isScheduled = this.#jobs.size > 0
    if (this.#isScheduled) setTimeout(() => this.#run(), sliceMs)
  }
}
