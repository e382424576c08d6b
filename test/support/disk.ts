import type { Durability } from '../../src/store/durability.ts'

/** A disk whose syncs end when the test calls `confirm` or `fail`. */
export class ManualDisk implements Durability {
  held = false
  syncs = 0
  #waiting: PromiseWithResolvers<void>[] = []
  #onSync: () => void = () => {}

  sync(): Promise<void> {
    this.syncs++
    if (!this.held) return Promise.resolve()
    const waiting = Promise.withResolvers<void>()
    this.#waiting.push(waiting)
    this.#onSync()
    return waiting.promise
  }

  /** Resolves when a sync is in progress. */
  syncing(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onSync = resolve
    })
  }

  confirm(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.resolve()
  }

  fail(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Error('EIO'))
  }

  readonly suspect = false
  async rewrite(): Promise<void> {}
  async close(): Promise<void> {}
}
