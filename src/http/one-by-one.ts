import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atEnd } from './at-end.ts'
import type { Connections } from './connections.ts'
import { Reading } from './reading.ts'

/** While so many requests wait on all connections, one on which as many as `waitingMax` wait is closed. */
const [waitingMax, allWaitingMax] = [16, 10_000]

interface Exchange {
  req: IncomingMessage
  res: ServerResponse
}

/** The requests of a connection. */
interface Line {
  socket: Socket
  /** Set while one of them is in progress. */
  end: (() => void) | undefined
  /** Called at the end of each response. */
  later: () => void
  waiting: Exchange[]
  /** Whether what has arrived behind them is not valid HTTP. */
  isBroken: boolean
}

const lines = new WeakMap<Socket, Line>()

/**
 * Handles the requests of a connection one after the other, and begins one of each connection per turn of the event loop. Node.js emits those
 * that a client sends without waiting for responses (pipelining) at once, thousands of a packet, and reads on: other clients would get no turn.
 */
export function oneByOne(connections: Connections, handle: RequestListener): RequestListener {
  let allWaiting = 0
  /** Lines whose request has ended in this turn. */
  let ended: Line[] = []
  return (req, res) => {
    const { socket } = req
    const line = lines.get(socket) ?? open(socket)
    if (!line.end) {
      line.end = connections.begin(socket)
      begin(req, res, line)
    } else if (!socket.destroyed) {
      line.waiting.push({ req, res })
      allWaiting++
      if (line.waiting.length === 1) Reading.of(socket).hold()
      if (line.waiting.length >= waitingMax && allWaiting > allWaitingMax) socket.destroy()
    }
  }

  function open(socket: Socket): Line {
    const line: Line = { socket, end: undefined, later: () => endLater(line), waiting: [], isBroken: false }
    lines.set(socket, line)
    socket.on('close', () => {
      allWaiting -= line.waiting.length
      line.waiting = []
    })
    return line
  }

  function begin(req: IncomingMessage, res: ServerResponse, line: Line): void {
    atEnd(res, line.later)
    handle(req, res)
  }

  function endLater(line: Line): void {
    if (ended.push(line) === 1) setImmediate(endAll)
  }

  function endAll(): void {
    const all = ended
    ended = []
    for (const line of all) next(line)
  }

  function next(line: Line): void {
    const first = line.waiting.shift()
    if (!first) {
      end(line)
      return
    }
    allWaiting--
    if (line.waiting.length === 0) Reading.of(line.socket).release()
    // After a response that closes the connection, no other one could be sent.
    if (line.socket.writable && (first.req.complete || !line.isBroken)) begin(first.req, first.res, line)
    else end(line)
  }
}

function end(line: Line): void {
  line.end?.()
  line.end = undefined
  if (line.isBroken) line.socket.destroy()
}

/** Whether a request of a connection is in progress or waits. */
export function isBusy(socket: Socket): boolean {
  return lines.get(socket)?.end !== undefined
}

/** Closes a busy connection on which invalid data has arrived, once the whole requests before it have their responses. */
export function closeAfterWaiting(socket: Socket): void {
  lines.get(socket)!.isBroken = true
}
