import type { Origin } from './change-log.ts'
import type { Writer } from './reader.ts'

/** The maximum number of writes in a transaction. More would keep the event loop from reading for too long. */
export const sharedWritesMax = 64

/** A write that waits for its transaction. */
export interface PendingWrite {
  workspaceId: number | undefined
  run: (tx: Writer) => unknown
  origin: Origin
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}
