/** A receiver that takes longer may hang the next time. */
const slowMs = 1_000

/** What the last attempt says of a receiver: it has succeeded in time; nothing is known, or it took long; it has failed. */
export const standings = ['working', 'unsure', 'failing'] as const
export type Standing = (typeof standings)[number]

export function standingAfter({ succeeded, ms }: { succeeded: boolean; ms: number }): Standing {
  if (!succeeded) return 'failing'
  return ms > slowMs ? 'unsure' : 'working'
}
