import type { Durability } from '../store/durability.ts'
import type { Store } from '../store/store.ts'
import type { Joined } from './join.ts'
import type { LogSizes } from './trimmer.ts'

export interface MemberOptions {
  joined: Joined
  version: string
  /** Syncs this machine's disk. */
  local: Durability
  /** Default: those of every server. */
  sizes?: LogSizes | undefined
  /** Called when this node has begun to lead. */
  onLead(): void
  /** Undefined until the server has created it. */
  store?(): Store | undefined
  /** Called when the process must end. */
  onFatal(reason: string): void
}
