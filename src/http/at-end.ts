import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, Set<() => void>>()

/**
 * Runs something once when a response has ended, however it ended. Node emits no `close` for a response that waits behind
 * another one on its connection when that connection closes, so the connection is watched, too.
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
