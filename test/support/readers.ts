import { type BatchReader, hasWork, workspacesBehind } from '../../src/changes/readers/batch-reader.ts'
import { batchReaders } from '../../src/features/index.ts'
import type { Server } from './start.ts'
import { until } from './wait.ts'

/** Resolves when a reader of the log has dealt with all changes. */
export function caughtUpBy(reader: BatchReader, { store }: Pick<Server, 'store'>): Promise<unknown> {
  return until(`${reader.name} has read the log`, () =>
    workspacesBehind(reader, store.access).every(({ id }) => !hasWork(reader, store.workspace(id))),
  )
}

/** Resolves when all readers of the log have: until the next write, none of them writes and so empties the caches. */
export async function allCaughtUp(server: Pick<Server, 'store'>): Promise<void> {
  for (const reader of batchReaders) await caughtUpBy(reader, server)
}
