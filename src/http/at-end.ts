import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The response in progress on a connection, and what is called at its end. There is one at a time (`one-by-one.ts`). */
interface Current {
  res: ServerResponse | undefined
  runs: (() => void)[]
}

/**
 * By connection, not by response: the tables that a busy map outgrows refer to each other, so that the garbage collector treats what was in
 * one of them as live until its next full run, with everything that belongs to those requests.
 */
const currents = new WeakMap<Socket, Current>()

/** Calls `run` once when a response has ended, for whatever reason. */
export function atEnd(res: ServerResponse, run: () => void): void {
  const { socket } = res.req
  if (socket.destroyed || res.closed) {
    run()
    return
  }
  const current = currents.get(socket) ?? watch(socket)
  if (current.res !== res) {
    current.res = res
    res.on('close', end)
  }
  current.runs.push(run)
}

/** The response on a connection that has not ended. */
export function unendedOn(socket: Socket): ServerResponse | undefined {
  return currents.get(socket)?.res
}

function watch(socket: Socket): Current {
  const current: Current = { res: undefined, runs: [] }
  currents.set(socket, current)
  socket.once('close', () => current.res && end.call(current.res))
  return current
}

function end(this: ServerResponse): void {
  const current = currents.get(this.req.socket)
  if (current?.res !== this) return
  const { runs } = current
  current.res = undefined
  current.runs = []
  for (const run of runs) run()
}
