import type { Socket } from 'node:net'
import { unacknowledgedBytes } from './send-queue.ts'

/** At the peer's connection, in the time in which it must have read something. */
const looks = 4
const unacknowledged = new WeakMap<Socket, number>()

/** Whether the peer has read something since this was asked last; the first time, that is assumed. */
export function hasRead(socket: Socket): boolean {
  const [before, now] = [unacknowledged.get(socket), unacknowledgedBytes(socket)]
  unacknowledged.set(socket, now ?? 0)
  return now !== undefined && (before === undefined || now < before)
}

/** Calls `onStalled` when the peer has read nothing of what is being sent for `stallMs`; returns what ends the watch. */
export function watchReading(socket: Socket, stallMs: number, onStalled: () => void): () => void {
  unacknowledged.delete(socket)
  let inVain = 0
  const timer = setInterval(() => {
    inVain = hasRead(socket) ? 0 : inVain + 1
    if (inVain === looks - 1) onStalled() // the first look has found nothing to compare with
  }, stallMs / looks)
  return () => clearInterval(timer)
}
