import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is called at the ends of the responses of a connection. */
type Endings = Map<ServerResponse, (() => void)[]>

const waiting = new WeakMap<Socket, Endings>()

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
  const runs = all.get(res)
  if (runs) runs.push(run)
  else {
    all.set(res, [run])
    res.on('close', end)
  }
}

function watch(socket: Socket): Endings {
  const all: Endings = new Map()
  waiting.set(socket, all)
  socket.once('close', () => {
    for (const res of all.keys()) end.call(res)
  })
  return all
}

function end(this: ServerResponse): void {
  const all = waiting.get(this.req.socket)
  const runs = all?.get(this) ?? []
  all?.delete(this)
  for (const run of runs) run()
}
