import { unavailable } from '../store/constraint.ts'

/** In characters: the longest text that is read at once. */
const lengthMax = 64 * 2 ** 20

/**
 * Reads all parts of a long text, which is one moment: threads cannot share a database in memory. Throws SERVICE_UNAVAILABLE with the
 * advice if it is too long.
 */
export function readAtOnce(parts: Iterable<string>, advice: string): (head: string) => AsyncIterable<string> {
  const read: string[] = []
  let length = 0
  for (const part of parts) {
    read.push(part)
    length += part.length
    if (length > lengthMax) throw unavailable(advice)
  }
  return async function* (head) {
    yield head
    yield* read
  }
}
