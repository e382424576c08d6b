import type { TestContext } from 'node:test'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { type Server, start } from './start.ts'

/** Stops a server, changes its database past it, and starts it again at the same time. */
export async function changeStopped(
  t: Pick<TestContext, 'after'>,
  { stop, path, directory, clock }: Server,
  change: (db: Connection) => void,
): Promise<Server> {
  await stop()
  const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  change(db)
  db.close()
  return start(t, { directory, clock })
}
