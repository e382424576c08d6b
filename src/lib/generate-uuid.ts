import { hash, randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import { unpackUuid } from './uuid.ts'

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
