/** Why a delivery is attempted: it is next in the log or in a range that is delivered again, or it has waited. */
export type Kind = 'first' | 'replayed' | 'again'

interface Entry {
  kind: Kind
  asked: number
  state: 'sending' | 'failed' | 'over'
}

/** The deliveries of a webhook that are being sent, by number, until their reports are on disk. */
export class InFlight {
  readonly #entries = new Map<number, Entry>()
  /** The number of attempts that have not ended. */
  sending = 0

  get size(): number {
    return this.#entries.size
  }

  /** The number of those that have failed, and will be attempted again. */
  get failed(): number {
    return [...this.#entries.values()].filter(({ state }) => state === 'failed').length
  }

  has(number: number): boolean {
    return this.#entries.has(number)
  }

  /** Whether the attempt was asked for, so that `asked` is no further request. */
  answers(number: number, asked: number): boolean {
    const entry = this.#entries.get(number)
    return entry !== undefined && asked <= entry.asked
  }

  begin(number: number, kind: Kind, asked: number): void {
    this.#entries.set(number, { kind, asked, state: 'sending' })
    this.sending++
  }

  /** The attempt has ended. Its report follows. */
  end(number: number, isRetried: boolean): void {
    this.#entries.get(number)!.state = isRetried ? 'failed' : 'over'
    this.sending--
  }

  /** Its report is on disk. */
  settle(number: number): void {
    this.#entries.delete(number)
  }

  /** The number before the first attempt of a kind that has not ended; if there is none, `taken`. */
  before(kind: Kind, taken: number): number {
    const sent = [...this.#entries].filter(([, each]) => each.kind === kind && each.state === 'sending')
    return Math.min(taken, ...sent.map(([number]) => number - 1))
  }
}
