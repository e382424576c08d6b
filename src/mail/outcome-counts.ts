/** Counts what became of messages at their addresses, for the metrics. */
export class OutcomeCounts {
  readonly #counts = new Map<string, { door: string; outcome: string; count: number }>()

  note(door: string, outcome: string): void {
    const name = `${door} ${outcome}`
    const { count } = this.#counts.get(name) ?? { count: 0 }
    this.#counts.set(name, { door, outcome, count: count + 1 })
  }

  all(): Iterable<{ readonly door: string; readonly outcome: string; readonly count: number }> {
    return this.#counts.values()
  }
}
