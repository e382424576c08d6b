import type { Socket } from 'node:net'
import { unacknowledgedBytes } from './send-queue.ts'

/** The number of checks of the connection within `stallMs`. */
const checks = 4
const unacknowledged = new WeakMap<Socket, number>()

/** Whether the peer has read something since the last call; true on the first call. */
export function hasRead(socket: Socket): boolean {
  const [before, now] = [unacknowledged.get(socket), unacknowledgedBytes(socket)]
  unacknowledged.set(socket, now ?? 0)
  return now !== undefined && (before === undefined || now < before)
}

/** Calls `onStalled` when the peer has read nothing for `stallMs` although data is being sent. Returns a function that ends the watch. */
export function watchReading(socket: Socket, stallMs: number, onStalled: () => void): () => void {
  unacknowledged.delete(socket)
  let stalledChecks = 0
  const timer = setInterval(() => {
    stalledChecks = hasRead(socket) ? 0 : stalledChecks + 1
    if (stalledChecks === checks - 1) onStalled() // the first check had nothing to compare with
  }, stallMs / checks)
  return () => clearInterval(timer)
}
