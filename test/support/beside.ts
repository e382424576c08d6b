import { type Connection, openConnection } from '../../src/store/open.ts'
import type { Server } from './start.ts'

/**
 * Changes the database of a server by another connection, in one transaction that waits for those of the server. The server's own connection
 * has views with the names of tables, which no table can be altered past.
 */
export function changeBeside({ path }: Pick<Server, 'path'>, change: (db: Connection) => void): void {
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  db.transaction(change).immediate(db)
  db.close()
}
