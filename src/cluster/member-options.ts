import type { DiskState } from '../store/disk-state.ts'
import type { Durability } from '../store/durability.ts'
import type { Joined } from './join.ts'
import { type LogSizes, Trimmer, usualSizes } from './trimmer.ts'

export interface MemberOptions {
  joined: Joined
  version: string
  /** Syncs this machine's disk. */
  local: Durability
  /** Default: those of every server. */
  sizes?: LogSizes | undefined
  /** Called when this node has begun to lead. */
  onLead(): Promise<void>
  /** Whether this machine's disk accepts writes. */
  disk?(): DiskState | undefined
  /** Called when the process must end. */
  onFatal(reason: string): void
}
