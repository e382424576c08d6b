/** Removals that are in progress: a second one of the same content could be late, and take what has been stored again since. */
export class Removals {
  readonly #running = new Map<string, Promise<void>>()

  /** Removes, of content with these names, what nothing removes already, and waits for the rest. */
  async run(names: readonly string[], remove: (names: readonly string[]) => Promise<void>): Promise<void> {
    const own = names.filter((name) => !this.#running.has(name))
    const others = new Set(names.flatMap((name) => this.#running.get(name) ?? []))
    const removing = remove(own).finally(() => {
      for (const name of own) this.#running.delete(name)
    })
    for (const name of own) this.#running.set(name, removing)
    await Promise.all([removing, ...others])
  }
}
