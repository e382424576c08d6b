import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import type { RateLimiter } from '../access/rate-limit.ts'
import type { Config, Limits } from '../config.ts'
import { ApiError, OperatorError } from '../errors.ts'
import { addressOf } from '../lib/address.ts'
import { errorFields, log } from '../lib/log.ts'
import { unendedOn } from './at-end.ts'
import { trustedNearest } from './client-address.ts'
import { Connections } from './connections.ts'
import type { Health } from './health.ts'
import { paceBody } from './long-body.ts'
import type { Observe } from './observe.ts'
import { closeAfterWaiting, isBusy, oneByOne } from './one-by-one.ts'
import { fileMs, limitRequestTime } from './request-time.ts'
import { errorBody, jsonType, securityHeaders } from './response.ts'
import { hasRead } from './watch-reading.ts'

const lastResponsesMsMax = 1_000
const pollMs = 20
const checksMin = 3
/** How long, in milliseconds, a client can read the error before its connection is closed. */
const lingerMs = 1_000
/** The longest time between checks of connection timeouts. */
const checkMsMax = 1_000

interface Listener {
  url: string
  /** Completes the requests in progress, with `/readyz` at 503, then closes. */
  drain(): Promise<void>
}

/** The application and its state. */
export interface Served {
  handle: RequestListener
  health: Health
  limiter: RateLimiter
  observe: Observe | undefined
  /** Ends the requests that wait for something that may never happen. */
  endWaiting(): void
}

type ListenConfig = Pick<Config, 'host' | 'port' | 'tlsCert' | 'tlsKey' | 'trustedProxies'> & Limits

/** Listens on `host:port` (port 0: a free one). Throws OperatorError if that is not possible. */
export async function listen(served: Served, config: ListenConfig): Promise<Listener> {
  const { handle, health } = served
  const connections = new Connections({
    max: config.connectionsMax,
    perAddressMax: config.connectionsPerAddressMax,
    isProxy: trustedNearest(config.trustedProxies),
  })
  let limitTime: ((req: IncomingMessage) => void) | undefined
  const inTurn = oneByOne(connections, (req, res) => {
    if (health.draining) res.shouldKeepAlive = false
    handle(req, res)
  })
  const serve: RequestListener = (req, res) => {
    limitTime?.(req)
    paceBody(req, res, () => {
      if (res.writableEnded || unendedOn(req.socket) !== res) req.socket.destroy()
      else server.emit('clientError', Object.assign(new Error('tiny chunks'), { code: tinyChunks }), req.socket)
    })
    res.on('error', ignore)
    inTurn(req, res)
  }
  const server = await createFor(config, serve)
  limitTime = limitRequestTime(server, config.requestMs)
  server.on('checkExpectation', serve) // Koa handles unknown expectations, too, with the usual error format
  watchSockets(server, connections, config.stallMs)
  refuseOthers(server, served)
  await start(server, config.host, config.port)
  server.on('error', (error) => log('the server could not accept a connection', errorFields(error), 'error'))
  return {
    url: urlOf(server.address() as AddressInfo, config.tlsCert === undefined ? 'http' : 'https'),
    async drain() {
      health.draining = true
      served.endWaiting()
      await delay(config.drainDelayMs)
      await untilQuiet(connections, Math.min(lastResponsesMsMax, config.drainMsMax))
      await immediate() // by now, connections that the kernel had queued have been accepted
      const closed = new Promise((resolve) => server.close(resolve))
      await untilQuiet(connections, config.drainMsMax)
      server.closeAllConnections()
      await closed
    },
  }
}

/** Limits the connections, and closes those whose clients stop sending a request or reading a response. */
function watchSockets(server: Server, connections: Connections, stallMs: number): void {
  server.on('connection', (socket) => {
    socket.on('error', ignore)
    connections.accept(socket)
  })
  server.on('secureConnection', (socket: Socket) => socket.on('error', ignore))
  server.timeout = stallMs
  server.on('timeout', (socket: Socket) => {
    const response = unendedOn(socket)
    // While the response is prepared the client has nothing to send or read. While it is sent in pieces, Outflow watches the client.
    if (response?.req.complete && (!response.headersSent || !response.writableEnded || hasRead(socket)))
      socket.setTimeout(stallMs)
    else socket.destroy()
  })
}

/** Responds to CONNECT and to data that is not valid HTTP: they do not reach Koa. */
function refuseOthers(server: Server, { limiter, observe }: Served): void {
  server.on('connect', (_req, socket) => {
    if (isBusy(socket as Socket)) closeAfterWaiting(socket as Socket)
    else refuse(socket, tunnel, limiter, observe)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    socket.off('error', ignore).on('error', ignore)
    const response = unendedOn(socket as Socket)
    // Invalid data after a complete request: its response must be sent first.
    if (isBusy(socket as Socket) && response?.req.complete !== false) closeAfterWaiting(socket as Socket)
    else if (error.code === 'ECONNRESET' || error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT' || !socket.writable)
      socket.destroy()
    else refuse(socket, malformed(error.code), limiter, observe)
  })
}

async function createFor(config: ListenConfig, serve: RequestListener): Promise<Server | TlsServer> {
  const options = { requireHostHeader: false, ...serverLimits(config) }
  const { tlsCert: cert, tlsKey: key } = config
  if (cert !== undefined && key !== undefined) {
    const { createTlsServer } = await import('./tls.ts')
    return createTlsServer({ cert, key }, { ...options, handshakeTimeout: config.headMs }, serve)
  }
  if (cert === key) return createServer(options, serve)
  throw new OperatorError('HTTPS needs both --tls-cert and --tls-key.')
}

function serverLimits({ headBytesMax, headMs, requestMs, keepAliveMs }: Limits): ServerOptions {
  return {
    maxHeaderSize: headBytesMax,
    headersTimeout: Math.min(headMs, requestMs),
    requestTimeout: Math.max(requestMs, fileMs),
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
    EADDRINUSE: 'the port is in use; choose another with --port (0 picks a free one)',
    EACCES: 'not permitted; ports below 1024 need privileges',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'no such host',
  }
  return new OperatorError(`Cannot listen on ${host}:${port}: ${reasons[error.code ?? ''] ?? error.message}.`)
}

export function urlOf({ address, family, port }: AddressInfo, scheme = 'http'): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Waits until three checks in a row find no active connection, so that connections accepted by the kernel have been read. */
async function untilQuiet(connections: Connections, msMax: number): Promise<void> {
  let quiet = 0
  for (let waitedMs = 0; quiet < checksMin && waitedMs < msMax; waitedMs += pollMs) {
    quiet = connections.activeCount === 0 ? quiet + 1 : 0
    await delay(pollMs)
  }
}

/**
 * Node removes its own listener before it emits `connect` and `clientError`, and an `error` event without a listener ends the
 * process. Code that waits for the socket uses `close`.
 */
function ignore(): void {}

const nothing = { path: undefined, route: undefined, keyId: undefined, userId: undefined, companyId: undefined }
const unread = { ...nothing, method: 'none', ms: 0 }

type Refusal = readonly [status: number, reason: string, message: string]

/** Responds to a request that never reaches Koa (invalid, too slow, headers too large) in the usual error format. */
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
  // A client that does not close its end would still count as a connection.
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

const tinyChunks = 'ERR_TINY_CHUNKS'
const tunnel: Refusal = [501, 'Not Implemented', 'CONNECT is not supported: Kontor is not a proxy']

function malformed(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, 'Request Header Fields Too Large', 'The request line and headers are too large']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'Request Timeout', 'The request took too long to arrive']
  if (code === tinyChunks)
    return [400, 'Bad Request', 'The chunks of the body are too small: send at least 16 bytes in each']
  return [400, 'Bad Request', 'The request is not well-formed HTTP/1.1']
}
