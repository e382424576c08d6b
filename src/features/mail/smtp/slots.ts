import { FairQueue } from '../../../lib/fair-queue.ts'

/** Runs a limited number of things at a time. Clients take turns. No client takes all places, so the messages of one never keep another waiting. */
export class Slots {
  readonly #count: number
  readonly #waiting = new FairQueue<string, () => void>()
  readonly #running = new Set<Promise<unknown>>()
  /** By client. */
  readonly #taken = new Map<string, number>()
  #free: number

  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  /** `signal`: what has not begun does not begin. */
  async run<T>(client: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#mayBegin(client)) this.#take(client)
    else await new Promise<void>((resolve) => this.#waiting.add(client, resolve))
    try {
      signal.throwIfAborted()
      const running = work()
      this.#running.add(running)
      return await running.finally(() => this.#running.delete(running))
    } finally {
      this.#release(client)
    }
  }

  /** Resolves when what runs has ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  #mayBegin(client: string): boolean {
    const shareMax = Math.max(1, this.#count - 1)
    return this.#free > 0 && (this.#taken.get(client) ?? 0) < shareMax
  }

  #take(client: string): void {
    this.#free--
    this.#taken.set(client, (this.#taken.get(client) ?? 0) + 1)
  }

  #release(client: string): void {
    this.#free++
    const taken = this.#taken.get(client)! - 1
    if (taken === 0) this.#taken.delete(client)
    else this.#taken.set(client, taken)
    for (const next of this.#waiting.owners()) {
      if (!this.#mayBegin(next)) continue
      this.#take(next)
      this.#waiting.take(next)!()
      return
    }
  }
}
