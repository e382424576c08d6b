import type { Durability } from '../../src/store/durability.ts'

/** A disk that confirms when the test says so. */
export class ManualDisk implements Durability {
  held = false
  syncs = 0
  #waiting: PromiseWithResolvers<void>[] = []
  #asked: () => void = () => {}

  sync(): Promise<void> {
    this.syncs++
    if (!this.held) return Promise.resolve()
    const waiting = Promise.withResolvers<void>()
    this.#waiting.push(waiting)
    this.#asked()
    return waiting.promise
  }

  /** Resolves when a sync is under way. */
  asked(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#asked = resolve
    })
  }

  confirm(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.resolve()
  }

  fail(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Error('EIO'))
  }

  readonly proven = true
  async prove(): Promise<void> {}
  async close(): Promise<void> {}
}
