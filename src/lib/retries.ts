const firstMs = 1_000
const mostMs = 60_000

/** Tries failed things again, each after a pause of its own, which doubles while it fails. Its timers keep no thread alive. */
export class Retries<T> {
  readonly #failed = new Map<T, { pauseMs: number; timer: NodeJS.Timeout | undefined }>()

  fail(what: T, again: () => void): void {
    const before = this.#failed.get(what)
    clearTimeout(before?.timer)
    const pauseMs = before ? Math.min(before.pauseMs * 2, mostMs) : firstMs
    const timer = setTimeout(() => {
      this.#failed.set(what, { pauseMs, timer: undefined })
      again()
    }, pauseMs).unref()
    this.#failed.set(what, { pauseMs, timer })
  }

  succeed(what: T): void {
    clearTimeout(this.#failed.get(what)?.timer)
    this.#failed.delete(what)
  }

  /** Whether it has failed, and its pause has not ended. */
  waits(what: T): boolean {
    return this.#failed.get(what)?.timer !== undefined
  }
}
