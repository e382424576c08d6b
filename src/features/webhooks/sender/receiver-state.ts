/** A receiver that takes longer may hang the next time. */
const slowMs = 1_000

/** What the last attempt says of a receiver: it has succeeded in time; nothing is known, or it took long; it has failed. */
export const receiverStates = ['working', 'unsure', 'failing'] as const
export type ReceiverState = (typeof receiverStates)[number]

export function receiverStateAfter({ succeeded, ms }: { succeeded: boolean; ms: number }): ReceiverState {
  if (!succeeded) return 'failing'
  return ms > slowMs ? 'unsure' : 'working'
}
