import type { Kept } from '../content/memory.ts'
import type { ClockState } from './clock.ts'
import type { Fault } from './faults.ts'
import type { Captured } from './inbox.ts'
import type { Journal } from './journal.ts'
import type { RandomState } from './randomness.ts'

/** A world at a moment. It never changes. */
export interface Image {
  /** The database. */
  bytes: Buffer
  /** The content of its files; default: none. */
  contents?: Kept
  companyId: string
  /** The API key that is the world's key. */
  keyId: string
  clock: ClockState
  random: RandomState
  faults: readonly Fault[]
  inbox: readonly Captured[]
  journal: Journal['state']
}
