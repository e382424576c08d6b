import { ApiError } from '../errors.ts'

/** Each hash takes 128 MiB while it runs. */
const concurrentMax = 2
const waitingPerAddressMax = 16
/** A separate limit for known and for unknown clients. */
const waitingMax = 500

/** The client for which a password is hashed. */
export interface HashClient {
  /** From `addressPrefix`. */
  address: string
  /** Whether it belongs to a user: signed in, with a valid link, or at an address from which the user has signed in before. */
  isKnown: boolean
}

interface Waiting {
  begin(): void
  refuse(): void
}

/** The waiting hashes by address, in the order of the addresses' turns. */
type Lane = Map<string, Waiting[]>

/**
 * Runs a few hashes at a time. Addresses take turns, and so do known and unknown clients: neither one address nor many unknown clients can
 * delay a user who signs in from a known address.
 */
export class HashQueue {
  #running = 0
  readonly #known: Lane = new Map()
  readonly #unknown: Lane = new Map()
  /** The lane that has the next turn comes first. */
  #lanes: [Lane, Lane] = [this.#known, this.#unknown]

  /** If too many are waiting, throws SERVICE_UNAVAILABLE for the address with the most waiting. */
  async run<T>(client: HashClient, hash: () => Promise<T>): Promise<T> {
    await this.#enter(client)
    try {
      return await hash()
    } finally {
      this.#leave()
    }
  }

  async #enter({ address, isKnown }: HashClient): Promise<void> {
    if (this.#running < concurrentMax) {
      this.#running++
      return
    }
    const lane = isKnown ? this.#known : this.#unknown
    const waiting = lane.get(address) ?? []
    if (waiting.length >= waitingPerAddressMax) throw tooMany()
    if (countOf(lane) >= waitingMax) crowdOut(lane, waiting.length)
    await new Promise<void>((resolve, reject) => {
      waiting.push({ begin: resolve, refuse: () => reject(tooMany()) })
      lane.set(address, waiting)
    })
  }

  /** Releases a place and starts the next hash. */
  #leave(): void {
    const [lane, other] = this.#lanes
    this.#lanes = [other, lane]
    const next = takeFirst(lane) ?? takeFirst(other)
    if (next) next.begin()
    else this.#running--
  }
}

function takeFirst(lane: Lane): Waiting | undefined {
  for (const [address, waiting] of lane) {
    lane.delete(address)
    const first = waiting.shift()
    if (waiting.length > 0) lane.set(address, waiting) // after all others
    return first
  }
  return undefined
}

function countOf(lane: Lane): number {
  return [...lane.values()].reduce((sum, waiting) => sum + waiting.length, 0)
}

/** Rejects the last one of the address with the most waiting. Throws if no address has more than `own`. */
function crowdOut(lane: Lane, own: number): void {
  const longest = [...lane.values()].reduce((a, b) => (b.length > a.length ? b : a))
  if (longest.length <= own + 1) throw tooMany()
  longest.pop()!.refuse()
}

function tooMany(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'Too many sign-ins at once', { headers: { 'Retry-After': '5' } })
}
