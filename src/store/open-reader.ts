import { setPriority } from 'node:os'
import { openConnection } from './open.ts'
import type { SlowStatements } from './slow.ts'
import { Statements } from './statements.ts'

/** A low priority, so that the event loop takes precedence on a busy machine. */
const niceness = 10

interface ReaderOptions {
  cacheKiB: number
  /** Default: slow statements are not reported. */
  slow?: SlowStatements | undefined
}

/** Opens a database for a thread that only reads, and lowers the priority of the thread. */
export function openReader(path: string, { cacheKiB, slow }: ReaderOptions) {
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
  db.pragma('query_only = ON')
  if (process.platform === 'linux') setPriority(niceness) // on Linux, of this thread alone
  return { db, statements: new Statements(db, () => {}, slow) }
}
