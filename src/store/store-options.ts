import type { Clock } from '../lib/clock.ts'
import type { Randomness } from '../lib/randomness.ts'
import type { Origin } from './change-log.ts'
import type { DiskWatch } from './disk-state.ts'
import type { Durability } from './durability.ts'
import type { Connection } from './open.ts'
import type { SlowStatements } from './slow.ts'

export interface StoreOptions {
  db: Connection
  clock: Clock
  durability: Durability
  /** Default: values that nobody can predict. */
  randomness?: Randomness
  /** Where writes come from that do not say it. Default: the server itself. */
  origin?: Origin
  /** Called before each write, and again under the write lock. Throws ApiError if this server does not accept writes at present. Default: it does. */
  requireWritable?: (() => void) | undefined
  /** Called for each topic that a write announced, once it is on disk. */
  onAnnounced?: ((topic: string, workspaceId: number) => void) | undefined
  /** Of a server with a log: the position that a new snapshot has; undefined: it is known only once what the snapshot shows is in the log. */
  position?: (() => number | undefined) | undefined
  /** How long, in milliseconds, a write waits for another connection's lock before it fails. */
  busyMsMax?: number | undefined
  /** Takes notice of the errors of writes. Default: the store's own, `Store.disk`. */
  disk?: DiskWatch
  /** Where slow statements are reported; default: nowhere. */
  slow?: SlowStatements | undefined
}
