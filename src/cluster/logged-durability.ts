import type { Durability } from '../store/durability.ts'

interface Ships {
  ship(): Promise<void>
}

/** Syncs the disk and the log at the same time. A follower, which has no `shipping`, has nothing to sync. */
export function loggedDurability(local: Durability, shipping: () => Ships | undefined): Durability {
  return {
    get suspect() {
      return shipping() !== undefined && local.suspect
    },
    async sync() {
      const ships = shipping()
      if (ships) await Promise.all([local.sync(), ships.ship()])
    },
    rewrite: () => local.rewrite(),
    close: () => local.close(),
  }
}
