import { createHash } from 'node:crypto'
import { unavailable } from '../store/constraint.ts'
import type { Contents, Place } from './contents.ts'

/** The bytes of content. Throws SERVICE_UNAVAILABLE before the last part if they are not those that were stored. */
export async function* readWhole(contents: Contents, place: Place, bytes: number): AsyncIterable<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  try {
    for await (const part of contents.read(place, 0, bytes)) {
      hash.update(part)
      if (held) yield held
      held = part
    }
  } catch (error) {
    throw unavailable('The content of this file cannot be read', error)
  }
  if (hash.digest('hex') !== place.sha256) {
    contents.faults.note('damaged')
    throw unavailable('The content of this file is damaged: the operator of the server can restore it from a backup')
  }
  if (held) yield held
}
