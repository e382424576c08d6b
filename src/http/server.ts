import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import type Koa from 'koa'
import type { RateLimiter } from '../access/rate-limit.ts'
import type { Config, Limits } from '../config.ts'
import { ApiError, OperatorError } from '../errors.ts'
import { addressOf } from '../lib/address.ts'
import { errorFields, log } from '../lib/log.ts'
import { trustedNearest } from './client-address.ts'
import { Connections } from './connections.ts'
import type { Health } from './health.ts'
import type { Observe } from './observe.ts'
import { errorBody, jsonType, securityHeaders } from './response.ts'
import { createTlsServer } from './tls.ts'
import { hasRead } from './watch-reading.ts'

const lastResponsesMsMax = 1_000
const pollMs = 20
const looksMin = 3
/** In which a client that was refused can read why. */
const lingerMs = 1_000
/** How often connections are held to their times, at least. */
const checkMsMax = 1_000

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
  observe: Observe | undefined
}

export type ListenConfig = Pick<Config, 'host' | 'port' | 'tlsCert' | 'tlsKey' | 'trustedProxies'> & Limits

/** Listens on `host:port` (port 0: a free one). Throws OperatorError if that is not possible. */
export async function listen(served: Served, config: ListenConfig): Promise<Listener> {
  const { koa, health } = served
  const handle = koa.callback()
  const connections = new Connections({
    max: config.connectionsMax,
    perAddressMax: config.connectionsPerAddressMax,
    isProxy: trustedNearest(config.trustedProxies),
  })
  const serve: RequestListener = (req, res) => {
    connections.begin(res)
    res.on('error', ignore)
    if (health.draining) res.shouldKeepAlive = false
    handle(req, res)
  }
  const server = await createFor(config, serve)
  server.on('checkExpectation', serve) // Koa answers foreign expectations, too: in the shape of every error
  watchSockets(server, connections, config.stallMs)
  refuseOthers(server, connections, served)
  await start(server, config.host, config.port)
  server.on('error', (error) => log('the server could not accept a connection', errorFields(error), 'error'))
  return {
    url: urlOf(server.address() as AddressInfo, config.tlsCert === undefined ? 'http' : 'https'),
    async drain() {
      health.draining = true
      await delay(config.drainDelayMs)
      await untilQuiet(connections, lastResponsesMsMax)
      await immediate() // right after everyone who waited at the door was let in
      const closed = new Promise((resolve) => server.close(resolve))
      await untilQuiet(connections, config.drainMsMax)
      server.closeAllConnections()
      await closed
    },
  }
}

/** Bounds the connections, and closes those whose clients neither send nor read what they should. */
function watchSockets(server: Server, connections: Connections, stallMs: number): void {
  server.on('connection', (socket) => {
    socket.on('error', ignore)
    connections.accept(socket)
  })
  server.on('secureConnection', (socket: Socket) => socket.on('error', ignore))
  server.timeout = stallMs
  server.on('timeout', (socket: Socket) => {
    const response = connections.responseOn(socket)
    // While the response is prepared, the client has nothing to send or to read; while it is sent in pieces, that is watched there.
    if (response?.req.complete && (!response.headersSent || !response.writableEnded || hasRead(socket)))
      socket.setTimeout(stallMs)
    else socket.destroy()
  })
}

/** Answers what never becomes a request: tunnels, and what is not HTTP. */
function refuseOthers(server: Server, connections: Connections, { limiter, observe }: Served): void {
  server.on('connect', (_req, socket) => refuse(socket, tunnel, limiter, observe))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    socket.on('error', ignore)
    const response = connections.responseOn(socket)
    // What follows a whole request must not be answered in its place.
    if (response?.req.complete) response.once('close', () => socket.destroy())
    else if (error.code === 'ECONNRESET' || error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT' || !socket.writable)
      socket.destroy()
    else refuse(socket, malformed(error.code), limiter, observe)
  })
}

function createFor(config: ListenConfig, serve: RequestListener): Server | Promise<TlsServer> {
  const options = { requireHostHeader: false, ...serverLimits(config) }
  const { tlsCert: cert, tlsKey: key } = config
  if (cert !== undefined && key !== undefined)
    return createTlsServer({ cert, key }, { ...options, handshakeTimeout: config.headMs }, serve)
  if (cert === key) return createServer(options, serve)
  throw new OperatorError('For HTTPS both are needed: --tls-cert and --tls-key.')
}

function serverLimits({ headBytesMax, headMs, requestMs, keepAliveMs }: Limits): ServerOptions {
  return {
    maxHeaderSize: headBytesMax,
    headersTimeout: Math.min(headMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveTimeoutBuffer: 0,
    connectionsCheckingInterval: Math.min(checkMsMax, headMs, requestMs),
  }
}

function start(server: Server | TlsServer, host: string, port: number): Promise<void> {
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

export function urlOf({ address, family, port }: AddressInfo, scheme = 'http'): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Nothing active at three looks in a row: what the kernel had accepted meanwhile has been read. */
async function untilQuiet(connections: Connections, msMax: number): Promise<void> {
  let quiet = 0
  for (let waitedMs = 0; quiet < looksMin && waitedMs < msMax; waitedMs += pollMs) {
    quiet = connections.activeCount === 0 ? quiet + 1 : 0
    await delay(pollMs)
  }
}

/**
 * Node removes its own listener before it emits `connect` and `clientError`, and an `error` event without a listener ends the
 * process. Whoever waits for the socket learns of its end from `close`.
 */
function ignore(): void {}

const nothing = { path: undefined, route: undefined, keyId: undefined, userId: undefined, companyId: undefined }
const unread = { ...nothing, method: 'none', ms: 0 }

type Refusal = readonly [status: number, reason: string, message: string]

/** What is not HTTP, or too slow, or has headers without end never reaches Koa: it is answered here, in the same shape. */
function refuse(
  stream: Duplex,
  [status, reason, message]: Refusal,
  limiter: RateLimiter,
  observe: Observe | undefined,
): void {
  const socket = stream as Socket
  const body = errorBody(new ApiError('INVALID_REQUEST', message))
  const requestId = randomUUID()
  const fields = [
    'X-Request-Id',
    requestId,
    ...securityHeaders,
    'Content-Type',
    jsonType,
    'Content-Length',
    String(body.length),
  ]
  limiter.admitAddress(addressOf(socket), fields)
  const lines = [`HTTP/1.1 ${status} ${reason}`, 'Connection: close']
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`)
  observe?.({ ...unread, requestId, status, address: addressOf(socket) })
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // A client that does not close its end would keep its place among the connections.
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

const tunnel: Refusal = [501, 'Not Implemented', 'CONNECT is not answered here: Kontor is no proxy']

function malformed(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, 'Request Header Fields Too Large', 'The request line and headers are too large']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'Request Timeout', 'The request took too long to arrive']
  return [400, 'Bad Request', 'This is not a well-formed HTTP/1.1 request']
}
