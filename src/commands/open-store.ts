import { systemClock } from '../lib/clock.ts'
import { schemaSql } from '../packaging/embedded.ts'
import { operator } from '../store/change-log.ts'
import { hasLog, type Opening, openForCommand } from '../store/directory.ts'
import { noDurability } from '../store/durability.ts'
import { migrations } from '../store/migrations/index.ts'
import type { Connection } from '../store/open.ts'
import { Store } from '../store/store.ts'

export const schema = { schema: schemaSql, steps: migrations }

/** Opens a data directory for a command, even while a server runs on it. By default the directory must exist (decision A13). */
export async function withStore<T>(
  directory: string,
  run: (store: Store) => T | Promise<T>,
  opening: Opening = { create: false },
): Promise<T> {
  if (hasLog(directory)) return (await import('./log-store.ts')).withLogStore(directory, schema, run, opening)
  return withConnection(openForCommand(directory, schema, opening), run)
}

/** The error of a write is that of the command. */
const unwatched = { note() {} }

/** Closes the connection when `run` has ended. */
export async function withConnection<T>(db: Connection, run: (store: Store) => T | Promise<T>): Promise<T> {
  // SQLite itself syncs each commit of this connection.
  const store = new Store({ db, clock: systemClock, durability: noDurability, origin: operator, disk: unwatched })
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}
