/** Counts changes, so that a cache can tell whether its entries are current. The numbers never decrease. */
export class Versions {
  /** Changes of companies, users, keys and plans. */
  access = 0
  /** Commits of this connection, and changes of the database by others. */
  commits = 0
  readonly #writes = new Map<number, number>()
  readonly #onOthers: () => void
  #dataVersion = 0

  /** `onOthers` is called when another connection has written. */
  constructor(onOthers: () => void) {
    this.#onOthers = onOthers
  }

  /** Changes of everything that a workspace's readers see, including its company's users. */
  of(workspaceId: number): number {
    return this.access + (this.#writes.get(workspaceId) ?? 0)
  }

  countWrite(workspaceId: number): void {
    this.#writes.set(workspaceId, (this.#writes.get(workspaceId) ?? 0) + 1)
  }

  /** Counts a change if another connection has written. Call it with SQLite's `data_version` in every transaction, before using a cache. */
  notice(dataVersion: number): void {
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.access++
    this.commits++
    this.#onOthers()
  }
}
