import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atEnd } from './at-end.ts'

/** A connection with this many waiting requests is not read; one that is full is closed if this many wait on all connections. */
const [waitingMax, allWaitingMax] = [16, 10_000]

interface Exchange {
  req: IncomingMessage
  res: ServerResponse
}

interface Connection {
  socket: Socket
  /** Whether one of its requests is in progress, or the next one is about to be. */
  isBusy: boolean
  waiting: Exchange[]
  /** Whether what has arrived behind the requests is not valid HTTP. */
  isBroken: boolean
}

const connections = new WeakMap<Socket, Connection>()

/**
 * Handles the requests of a connection one after the other, and begins one of each connection per turn of the event loop. Node.js emits those
 * that a client sends without waiting for responses (pipelining) at once, thousands of a packet, and reads on: other clients would get no turn.
 */
export function oneByOne(handle: RequestListener): RequestListener {
  let allWaiting = 0
  return (req, res) => {
    const { socket } = req
    const connection = connections.get(socket) ?? open(socket)
    if (!connection.isBusy) return begin({ req, res }, connection)
    if (socket.destroyed) return
    connection.waiting.push({ req, res })
    allWaiting++
    if (isFull(connection)) socket.pause()
    if (isFull(connection) && allWaiting > allWaitingMax) socket.destroy()
  }

  function open(socket: Socket): Connection {
    const connection = { socket, isBusy: false, waiting: [], isBroken: false }
    connections.set(socket, connection)
    // Node.js resumes a connection at the end of each response.
    socket.on('resume', () => {
      if (isFull(connection)) socket.pause()
    })
    socket.on('close', () => {
      allWaiting -= connection.waiting.length
      connection.waiting = []
    })
    return connection
  }

  function begin({ req, res }: Exchange, connection: Connection): void {
    connection.isBusy = true
    atEnd(res, () => {
      if (connection.waiting.length > 0) setImmediate(next, connection)
      else leave(connection)
    })
    handle(req, res)
  }

  function next(connection: Connection): void {
    const wasFull = isFull(connection)
    const first = connection.waiting.shift()
    if (first) allWaiting--
    if (wasFull && !isFull(connection)) connection.socket.resume()
    if (first && (first.req.complete || !connection.isBroken)) begin(first, connection)
    else leave(connection)
  }
}

function leave(connection: Connection): void {
  connection.isBusy = false
  if (connection.isBroken) connection.socket.destroy()
}

function isFull({ waiting }: Connection): boolean {
  return waiting.length >= waitingMax
}

/** Whether a request of a connection is in progress or waits. */
export function isBusy(socket: Socket): boolean {
  return connections.get(socket)?.isBusy ?? false
}

/** Closes a busy connection on which invalid data has arrived, once the whole requests before it have their responses. */
export function closeAfterWaiting(socket: Socket): void {
  connections.get(socket)!.isBroken = true
}
