import { hash, randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const pattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Converts a UUID to lower case, as stored; undefined if the text is not a UUID (decision B9). */
export function parseUuid(text: string): string | undefined {
  return pattern.test(text) ? text.toLowerCase() : undefined
}

/** The 16 bytes of a UUID in canonical form. */
export function packUuid(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** The canonical form of a UUID's 16 bytes. */
export function unpackUuid(bytes: Uint8Array): string {
  const hex = (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A lower bound: every UUIDv7 generated at this moment or later sorts after it, every earlier one before it. */
export function firstUuidAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** A UUIDv7 of a moment whose other bits follow from a number and a text. The ids of one moment sort by the number, up to 2³¹. */
export function derivedUuid(ms: number, number: number, text: string): string {
  return v7({ msecs: ms, seq: number % 2 ** 31, random: hash('sha256', `${text} ${number}`, 'buffer') })
}

/** The moment of the last id, and the number of ids of the same millisecond before it. */
export interface LastUuid {
  ms: number
  seq: number
}

/** Generates UUIDv7s that sort in the order of creation, also within a millisecond (decision D1). */
export class UuidSequence {
  #ms: number
  #seq: number
  readonly #random: () => Uint8Array
  readonly #bytes = Buffer.alloc(16)

  /** `random` returns 16 bytes. Pass it if ids must be reproducible, and `last` to continue after another sequence. */
  constructor(random: () => Uint8Array = pooledRandom(), last: LastUuid = { ms: Number.NaN, seq: 0 }) {
    this.#random = random
    this.#ms = last.ms
    this.#seq = last.seq
  }

  /** Where it is. */
  get last(): LastUuid {
    return { ms: this.#ms, seq: this.#seq }
  }

  next(ms: number): string {
    this.#seq = ms === this.#ms ? this.#seq + 1 : 0
    this.#ms = ms
    return unpackUuid(v7({ msecs: ms, seq: this.#seq, random: this.#random() }, this.#bytes))
  }
}

/** Reads random bytes in bulk: one system call for 256 ids. */
function pooledRandom(): () => Uint8Array {
  const pool = Buffer.alloc(4096)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += 16
    return pool.subarray(used - 16, used)
  }
}
