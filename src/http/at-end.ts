import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `run` once when a response has ended, for whatever reason. Node emits no `close` for a response that is queued behind another
 * one when their connection closes, so the connection is watched, too.
 */
export function atEnd(res: ServerResponse, run: () => void): void {
  const { socket } = res.req
  if (socket.destroyed) {
    run()
    return
  }
  const all = waiting.get(socket) ?? watch(socket)
  const end = () => {
    if (all.delete(end)) run()
  }
  all.add(end)
  res.once('close', end)
}

function watch(socket: Socket): Set<() => void> {
  const all = new Set<() => void>()
  waiting.set(socket, all)
  socket.once('close', () => {
    for (const end of all) end()
  })
  return all
}
