import { ApiError } from '../errors.ts'
import { unavailable } from './constraint.ts'
import type { Durability } from './durability.ts'

/** The syncs of a connection. A commit is synced once, however many callers wait for it (decision G5). */
export class Syncs {
  readonly #durability: Durability
  /** The number of the newest commit that is on disk. */
  #covered = -1
  /** The newest sync that is in progress, and the number of the newest commit that it covers. */
  #running: { commit: number; done: Promise<void> } | undefined

  /** The newest number of a change that is known to be on disk, by workspace. */
  readonly #changes = new Map<number, number>()

  constructor(durability: Durability) {
    this.#durability = durability
  }

  /** Resolves when the commits up to this number, which must be the newest one, are on disk. Throws 503 SERVICE_UNAVAILABLE. */
  cover(commit: number): Promise<void> {
    if (commit <= this.#covered) return Promise.resolve()
    if (this.#running && this.#running.commit >= commit) return this.#running.done
    const running = { commit, done: this.#sync(commit) }
    this.#running = running
    return running.done
  }

  /** Remembers that the changes of workspaces up to these numbers are on disk. */
  noteChanges(latest: Iterable<readonly [workspaceId: number, seq: number]>): void {
    for (const [workspaceId, seq] of latest) if (!this.hasChange(workspaceId, seq)) this.#changes.set(workspaceId, seq)
  }

  hasChange(workspaceId: number, seq: number): boolean {
    return seq <= (this.#changes.get(workspaceId) ?? 0)
  }

  async #sync(commit: number): Promise<void> {
    try {
      await this.#durability.sync()
      this.#covered = Math.max(this.#covered, commit)
    } catch (error) {
      throw error instanceof ApiError ? error : unavailable('The disk did not confirm the write', error)
    } finally {
      if (this.#running?.commit === commit) this.#running = undefined
    }
  }
}
