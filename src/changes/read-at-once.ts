import type { LongReading, Snapshot } from '../engine/finding/reading.ts'
import { unavailable } from '../store/constraint.ts'
import type { Reader } from '../store/reader.ts'
import { boundsOf } from './stored-change.ts'

/** In characters: the longest text that is read at once. */
const lengthMax = 64 * 2 ** 20

/**
 * Reads all parts of a long text, which is one moment: threads cannot share a database in memory. Throws SERVICE_UNAVAILABLE with the
 * advice if it is too long.
 */
export async function readAtOnce<Question>(
  reader: Reader,
  { parts, advice }: LongReading<Question>,
  question: Question,
): Promise<Snapshot> {
  const read: string[] = []
  let length = 0
  for (const part of parts(reader, question)) {
    read.push(part)
    length += part.length
    if (length > lengthMax) throw unavailable(advice)
  }
  return {
    seq: boundsOf(reader).latest,
    async *read(head) {
      yield head
      yield* read
    },
  }
}
