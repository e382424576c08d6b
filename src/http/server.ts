import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import type { RateLimiter } from '../access/rate-limit.ts'
import { ApiError, OperatorError } from '../errors.ts'
import { errorBody, jsonType } from './answer.ts'
import { addressOf } from './exchange.ts'
import type { Health } from './health.ts'

const drainMsMax = 10_000
const lastAnswersMsMax = 1_000
const pollMs = 20

export interface Listener {
  url: string
  /** Answers what has begun, lets `/readyz` say 503 meanwhile, then closes. */
  drain(): Promise<void>
}

/** What is served, and what says how it is. */
export interface Served {
  koa: Koa
  health: Health
  limiter: RateLimiter
}

/** Listens on `host:port` (0: a free one). Throws OperatorError where that is not to be had. */
export async function listen({ koa, health, limiter }: Served, host: string, port: number): Promise<Listener> {
  const handle = koa.callback()
  const active = new Map<Duplex, ServerResponse>()
  const serve: RequestListener = (req, res) => {
    active.set(req.socket, res)
    res.once('close', () => active.delete(req.socket))
    if (health.draining) res.shouldKeepAlive = false
    handle(req, res)
  }
  // Koa answers requests without a host and with foreign expectations, too: in the shape of every error.
  const server = createServer({ requireHostHeader: false }, serve).on('checkExpectation', serve)
  server.on('clientError', (error, socket) => {
    const answering = active.get(socket)
    // What follows a whole request must not be answered in its place.
    if (answering?.req.complete) answering.once('close', () => socket.destroy())
    else refuseMalformed(error, socket, limiter)
  })
  await start(server, host, port)
  return {
    url: urlOf(server.address() as AddressInfo),
    async drain() {
      health.draining = true
      await until(() => active.size === 0, lastAnswersMsMax)
      const closed = new Promise((resolve) => server.close(resolve))
      await until(() => active.size === 0, drainMsMax)
      server.closeAllConnections()
      await closed
    },
  }
}

function start(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)))
    server.listen(port, host, resolve)
  })
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'the port is in use; choose another with --port, or --port 0 for a free one',
    EACCES: 'not permitted; ports below 1024 need privileges',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'no such host',
  }
  return new OperatorError(`Cannot listen on ${host}:${port}: ${reasons[error.code ?? ''] ?? error.message}.`)
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function until(done: () => boolean, msMax: number): Promise<void> {
  for (let waitedMs = 0; !done() && waitedMs < msMax; waitedMs += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** What is not HTTP, or too slow, or has headers without end never reaches Koa: it is answered here, in the same shape. */
function refuseMalformed(error: Error & { code?: string }, stream: Duplex, limiter: RateLimiter): void {
  const socket = stream as Socket
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, message] = malformed(error.code)
  const body = errorBody(new ApiError('INVALID_REQUEST', message))
  const fields = ['X-Request-Id', randomUUID(), 'Content-Type', jsonType, 'Content-Length', String(body.length)]
  limiter.admitAddress(addressOf(socket), fields)
  const lines = [`HTTP/1.1 ${status} ${reason}`, 'Connection: close']
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

function malformed(code: string | undefined): [status: number, reason: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, 'Request Header Fields Too Large', 'The request line and headers are too large']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'Request Timeout', 'The request took too long to arrive']
  return [400, 'Bad Request', 'This is not a well-formed HTTP/1.1 request']
}
