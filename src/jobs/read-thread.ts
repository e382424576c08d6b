import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { findDuplicates } from '../engine/duplicates/find.ts'
import { findPage } from '../engine/list/page.ts'
import type { Asked } from '../engine/reading.ts'
import { findMatches } from '../engine/search/find.ts'
import { findGroups } from '../engine/summary/find-groups.ts'
import { beginSnapshot } from '../store/begin-snapshot.ts'
import { codeOf } from '../store/constraint.ts'
import { openConnection } from '../store/open.ts'
import type { Reader } from '../store/reader.ts'
import { logSlow } from '../store/slow.ts'
import { Statements, WorkspaceReader } from '../store/statements.ts'
import type { Found, ReadThreadInput, Reply, ThreadRead } from './read-thread-handle.ts'

// A thread for reads that may take long. It has its own read-only connection.

/** A low priority, so that the event loop takes precedence on a busy machine. */
const niceness = 10
const cacheKiB = 8_192

const { path, slowMs, positions, stop } = workerData as ReadThreadInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
db.pragma('query_only = ON')
db.function('alive', { deterministic: false }, () => {
  proceed()
  return 1
})
const statements = new Statements(db, () => {}, slowMs === undefined ? undefined : logSlow(slowMs))
if (process.platform === 'linux') setPriority(niceness) // on Linux, of this thread alone

parentPort!.on('message', async (asked: ThreadRead) => parentPort!.postMessage(await replyTo(asked)))

/** The next read is asked for after the reply. */
async function replyTo({ workspaceId, what, cause }: ThreadRead): Promise<Reply> {
  try {
    const position = beginSnapshot(statements, positions) // the total and the page are consistent
    const reader = new WorkspaceReader(statements, workspaceId, cause)
    const found = await read(reader, what)
    statements.control('COMMIT')
    return { found, position }
  } catch (error) {
    if (db.inTransaction) statements.control('ROLLBACK')
    return { error: { message: (error as Error).message, code: codeOf(error) } }
  }
}

function read(reader: Reader, what: ThreadRead['what']): Found {
  if ('reading' in what) return readAsked(reader, what)
  if ('targets' in what) return findMatches(reader, what)
  if ('compared' in what) return findDuplicates(reader, what)
  return 'keys' in what ? findGroups(reader, what) : findPage(reader, what)
}

/** The readings know every resource, so they are loaded when the first one is asked for. */
async function readAsked(reader: Reader, { reading, question }: Asked): Promise<unknown> {
  const { readings } = await import('./readings.ts')
  return readings.get(reading)!.run(reader, question, proceed)
}

function proceed(): void {
  if (Atomics.load(stop, 0) !== 0) throw new Error('The read was stopped')
}
