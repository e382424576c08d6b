import type { Resource } from '../engine/records/definition/resource.ts'
import type { Reader } from '../store/reader.ts'
import { verifyRecords } from './verify-records.ts'
import { verifySequence } from './verify-sequence.ts'

/** Verifies a workspace's log: it has no gaps, and replaying it gives the tables (decision G13). Returns one sentence per finding. */
export function* verifyLog(resources: readonly Resource[], reader: Reader): Generator<string> {
  const isReadable = yield* verifySequence(resources, reader)
  if (isReadable) yield* verifyRecords(resources, reader)
}
