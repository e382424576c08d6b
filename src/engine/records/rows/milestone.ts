import type { Writer } from '../../../store/reader.ts'

const milestoneEvery = 64

/**
 * Whether a change stores the complete record, although it can be derived: about one in 64, at random, so that deriving an old state
 * of a record that was changed a million times applies a few dozen changes.
 */
export function isMilestone(tx: Writer): boolean {
  return parseInt(tx.newId().slice(-2), 16) % milestoneEvery === 0
}
