import { systemClock } from '../lib/clock.ts'
import { schemaSql } from '../packaging/embedded.ts'
import { type Opening, openForCommand } from '../store/directory.ts'
import { noDurability } from '../store/durability.ts'
import { migrations } from '../store/migrations.ts'
import { Store } from '../store/store.ts'

export const schema = { schema: schemaSql, steps: migrations }

/** Runs a command on a data directory, also while a server runs on it. Default: one that is there (decision A13). */
export async function withStore<T>(
  directory: string,
  run: (store: Store) => T | Promise<T>,
  opening: Opening = { create: false },
): Promise<T> {
  const db = openForCommand(directory, schema, opening)
  // Commits of this connection wait for the disk themselves.
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}
