import { randomBytes } from 'node:crypto'
import { UuidSequence } from './generate-uuid.ts'

/** A source of ids and of other random values. */
export interface Randomness {
  /** Returns a UUIDv7 of this moment, in milliseconds since 1970. */
  newId(ms: number): string
  bytes(size: number): Uint8Array
}

/** Values that nobody can predict. */
export function systemRandomness(): Randomness {
  const ids = new UuidSequence()
  return { newId: (ms) => ids.next(ms), bytes: randomBytes }
}
