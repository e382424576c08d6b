import { v7 } from 'uuid'

const pattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A UUID in any letter case, as the lower-case text that is stored; undefined for anything else (decision B9). */
export function parseUuid(text: string): string | undefined {
  return pattern.test(text) ? text.toLowerCase() : undefined
}

/** Makes UUIDv7s whose order is the order of creation, also within a millisecond (decision D1). */
export class UuidSequence {
  #ms = Number.NaN
  #seq = 0
  readonly #random: (() => Uint8Array) | undefined

  /** `random`: 16 bytes a call, where ids have to be reproducible. */
  constructor(random?: () => Uint8Array) {
    this.#random = random
  }

  next(ms: number): string {
    this.#seq = ms === this.#ms ? this.#seq + 1 : 0
    this.#ms = ms
    return v7({ msecs: ms, seq: this.#seq, ...(this.#random && { random: this.#random() }) })
  }
}
