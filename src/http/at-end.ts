import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is called at the end of a response. */
interface Ending {
  res: ServerResponse
  runs: (() => void)[]
}

/**
 * The responses of each connection that have not ended, oldest first. There are few, because the requests in progress of a client are
 * limited. Not a map of responses: the tables that a busy map outgrows refer to each other, so that the garbage collector treats what was
 * in one of them as live until its next full run, with everything that belongs to those requests.
 */
const waiting = new WeakMap<Socket, Ending[]>()

/**
 * Calls `run` once when a response has ended, for whatever reason. Node emits no `close` for a response that is queued behind another
 * one when their connection closes, so the connection is watched, too.
 */
export function atEnd(res: ServerResponse, run: () => void): void {
  const { socket } = res.req
  if (socket.destroyed || res.closed) {
    run()
    return
  }
  const all = waiting.get(socket) ?? watch(socket)
  const ending = all.find((each) => each.res === res)
  if (ending) ending.runs.push(run)
  else {
    all.push({ res, runs: [run] })
    res.on('close', end)
  }
}

/** The newest response on a connection that has not ended. */
export function unendedOn(socket: Socket): ServerResponse | undefined {
  return waiting.get(socket)?.at(-1)?.res
}

function watch(socket: Socket): Ending[] {
  const all: Ending[] = []
  waiting.set(socket, all)
  socket.once('close', () => {
    for (const { res } of [...all]) end.call(res)
  })
  return all
}

function end(this: ServerResponse): void {
  const all = waiting.get(this.req.socket) ?? []
  const at = all.findIndex(({ res }) => res === this)
  if (at === -1) return
  const [{ runs }] = all.splice(at, 1) as [Ending]
  for (const run of runs) run()
}
