import { parentPort, workerData } from 'node:worker_threads'
import { duplicatesReading } from '../engine/finding/duplicates/find.ts'
import { pageReading } from '../engine/finding/list/page-reading.ts'
import { searchReading } from '../engine/finding/search/find.ts'
import { sumReading } from '../engine/finding/summary/find-groups.ts'
import { beginSnapshot } from '../store/begin-snapshot.ts'
import { codeOf } from '../store/constraint.ts'
import { openReader } from '../store/open-reader.ts'
import { logSlow } from '../store/slow.ts'
import { WorkspaceReader } from '../store/statements.ts'
import type { ReadThreadInput, Reply, ThreadRead } from './read-thread-handle.ts'
import { type AnyReading, byName } from './reading-name.ts'

// A thread for reads that may take long. It has its own read-only connection.

const { path, slowMs, positions, stop } = workerData as ReadThreadInput
const slow = slowMs === undefined ? undefined : logSlow(slowMs)
const { db, statements } = openReader(path, { cacheKiB: 8_192, slow })
db.function('alive', { deterministic: false }, () => {
  proceed()
  return 1
})

parentPort!.on('message', async (asked: ThreadRead) => parentPort!.postMessage(await replyTo(asked)))

/** What most requests ask. */
const usual = byName([pageReading, sumReading, searchReading, duplicatesReading])

/** The next question comes after the reply. */
async function replyTo({ workspaceId, viewer, reading, question, cause }: ThreadRead): Promise<Reply> {
  try {
    const { run } = await readingOf(reading)
    const position = beginSnapshot(statements, positions) // the total and the page are consistent
    const answer = await run(new WorkspaceReader(statements, workspaceId, { view: viewer, cause }), question, proceed)
    statements.control('COMMIT')
    return { answer, position }
  } catch (error) {
    if (db.inTransaction) statements.control('ROLLBACK')
    return { error: { message: (error as Error).message, code: codeOf(error) } }
  }
}

/** The other readings know every resource, so they are loaded when the first one is asked for. */
async function readingOf(name: string): Promise<AnyReading> {
  return usual.get(name) ?? (await import('./readings.ts')).readings.get(name)!
}

function proceed(): void {
  if (Atomics.load(stop, 0) !== 0) throw new Error('The read was stopped')
}
