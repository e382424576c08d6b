import { FairQueue } from '../lib/fair-queue.ts'
import type { Ctx } from './exchange.ts'

/** How long a turn of the event loop begins requests, in milliseconds. */
const beginsMs = 10

/**
 * Lets no turn of the event loop begin more requests than take a few milliseconds: those that have arrived meanwhile would wait for all of
 * them. The others wait for the next turns, which begin one of each company after the other.
 */
export class FairTurns {
  /** By company; of a client that is not known, by its address. */
  readonly #waiting = new FairQueue<string, () => void>()
  #endsAt: number | undefined
  #isScheduled = false

  /** Call where the work of a request begins. Undefined: it may begin now. */
  wait({ state }: Ctx): Promise<void> | undefined {
    const company = state.credential?.companyId ?? state.session?.companyId ?? state.address
    const now = performance.now()
    this.#endsAt ??= now + beginsMs
    this.#schedule()
    if (this.#waiting.countOf(company) === 0 && now < this.#endsAt) return undefined
    return new Promise((resolve) => this.#waiting.add(company, resolve))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#isScheduled = false
    this.#endsAt = undefined
    if (this.#waiting.isEmpty) return
    this.#endsAt = performance.now() + beginsMs
    this.#schedule()
    this.#beginNext()
  }

  /** Begins one of those that wait, and the next one when that has done what it does in this turn, while there is time. */
  #beginNext(): void {
    if (this.#waiting.isEmpty || performance.now() >= this.#endsAt!) return
    const [company] = this.#waiting.owners()
    this.#waiting.take(company!)!()
    queueMicrotask(() => process.nextTick(() => this.#beginNext())) // ticks come when no microtask is left
  }
}
