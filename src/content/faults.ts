/** What can be wrong with content that a record refers to. */
export const contentFaults = ['missing', 'length', 'damaged'] as const
export type ContentFault = (typeof contentFaults)[number]

/** How often a request met content that was missing, of another length or damaged, since the process started. */
export class FaultCounts {
  readonly #counts = new Map<ContentFault, number>()

  note(fault: ContentFault): void {
    this.#counts.set(fault, this.of(fault) + 1)
  }

  of(fault: ContentFault): number {
    return this.#counts.get(fault) ?? 0
  }
}
