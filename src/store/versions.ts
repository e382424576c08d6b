/** Counts changes, so that what is remembered is known to be what is. No number ever decreases. */
export class Versions {
  /** Of companies, users, keys and plans. */
  access = 0
  readonly #writes = new Map<number, number>()
  #dataVersion = 0

  /** Of all that a workspace's readers see, its company's users included. */
  of(workspaceId: number): number {
    return this.access + (this.#writes.get(workspaceId) ?? 0)
  }

  countWrite(workspaceId: number): void {
    this.#writes.set(workspaceId, (this.#writes.get(workspaceId) ?? 0) + 1)
  }

  /** Whether another connection has written: to be told SQLite's `data_version` in every transaction, before what is remembered is relied on. */
  notice(dataVersion: number): void {
    if (dataVersion !== this.#dataVersion) this.access++
    this.#dataVersion = dataVersion
  }
}
