import { hash } from 'node:crypto'
import { type LastUuid, UuidSequence } from '../lib/generate-uuid.ts'
import type { Randomness } from '../lib/randomness.ts'

/** How much of a world's randomness has been used. */
export interface RandomState {
  seed: string
  /** The number of bytes, by their purpose. */
  used: { ids: number; requests: number; secrets: number; chances: number; delays: number }
  lastId: LastUuid
  lastRequest: LastUuid
}

export function newRandomState(seed: string): RandomState {
  const none = { ms: -1, seq: 0 }
  return { seed, used: { ids: 0, requests: 0, secrets: 0, chances: 0, delays: 0 }, lastId: none, lastRequest: none }
}

/**
 * The randomness of a world: the same seed gives the same values in the same order (decision I6). Each purpose has values of its own, so
 * that a request which only reads does not change the ids of later records.
 */
export class WorldRandomness implements Randomness {
  readonly #seed: string
  readonly #ids: SeededBytes
  readonly #requests: SeededBytes
  readonly #secrets: SeededBytes
  readonly #chances: SeededBytes
  readonly #delays: SeededBytes
  readonly #records: UuidSequence
  readonly #requestIds: UuidSequence

  /** Keys and secrets also depend on the world's key: a key belongs to one world, and only who has that key can foresee it. */
  constructor({ seed, used, lastId, lastRequest }: RandomState, key: string) {
    this.#seed = seed
    this.#ids = new SeededBytes(`${seed} ids`, used.ids)
    this.#requests = new SeededBytes(`${seed} requests`, used.requests)
    this.#secrets = new SeededBytes(`${seed} secrets ${key}`, used.secrets)
    this.#chances = new SeededBytes(`${seed} chances`, used.chances)
    this.#delays = new SeededBytes(`${seed} delays`, used.delays)
    this.#records = new UuidSequence(() => this.#ids.take(16), lastId)
    this.#requestIds = new UuidSequence(() => this.#requests.take(16), lastRequest)
  }

  get state(): RandomState {
    return {
      seed: this.#seed,
      used: {
        ...{ ids: this.#ids.used, requests: this.#requests.used, secrets: this.#secrets.used },
        ...{ chances: this.#chances.used, delays: this.#delays.used },
      },
      lastId: this.#records.last,
      lastRequest: this.#requestIds.last,
    }
  }

  newId(ms: number): string {
    return this.#records.next(ms)
  }

  newRequestId(ms: number): string {
    return this.#requestIds.next(ms)
  }

  bytes(size: number): Uint8Array {
    return this.#secrets.take(size)
  }

  /** Decides whether a fault applies: a number from 0 up to 1, without 1. */
  chance(): number {
    return this.#chances.share()
  }

  /** Spreads the next attempts of deliveries. It is asked when a receiver has failed, which no order of requests decides. */
  delay(): number {
    return this.#delays.share()
  }
}

const blockBytes = 64

/** Bytes that follow from a seed. */
class SeededBytes {
  used: number
  readonly #seed: string
  #block = Buffer.alloc(0)
  #number = -1

  constructor(seed: string, used: number) {
    this.#seed = seed
    this.used = used
  }

  /** A number from 0 up to 1, without 1. */
  share(): number {
    return this.take(4).readUInt32BE() / 2 ** 32
  }

  take(size: number): Buffer {
    const taken = Buffer.alloc(size)
    for (let at = 0; at < size; ) {
      const within = this.used % blockBytes
      const copied = this.#at(Math.floor(this.used / blockBytes)).copy(taken, at, within)
      at += copied
      this.used += copied
    }
    return taken
  }

  #at(number: number): Buffer {
    if (number !== this.#number) this.#block = hash('sha512', `${this.#seed} ${number}`, 'buffer')
    this.#number = number
    return this.#block
  }
}
