import type { Socket } from 'node:net'
import { unacknowledgedBytes } from './send-queue.ts'

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
  const timer = setInterval(() => {
    if (!hasRead(socket)) onStalled()
  }, stallMs / 2)
  return () => clearInterval(timer)
}
