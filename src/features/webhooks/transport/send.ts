import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { Deadline } from './deadline.ts'
import { type Destinations, nameOf, portOf } from './destinations.ts'
import { codeOf, Failure } from './failure.ts'

/** One request, with all headers of its own. */
export interface Delivery {
  url: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
}

interface SendOptions<T> {
  /** Whether it may use a connection that is already open. */
  reuse: boolean
  read: (response: IncomingMessage) => Promise<T>
}

/** The receiver closed an open connection at the moment at which it was used again. */
export class StaleConnection extends Error {
  override name = 'StaleConnection'
}

/** Each address of a name but the last has this time to connect. */
const addressMs = 1_000
const headBytesMax = 16_384
/** Responses like 100 and 103 that may come before the response. */
const informationMax = 8

/** Posts to one of the permitted addresses of a URL. Rejects if there is no response; then nothing of the request is left. */
export async function send<T>(
  delivery: Delivery,
  destinations: Destinations,
  deadline: Deadline,
  { reuse, read }: SendOptions<T>,
): Promise<T> {
  const url = new URL(delivery.url)
  const isSecure = url.protocol === 'https:'
  const create = isSecure ? (await import('node:https')).request : requestPlainly
  const agent = reuse ? await destinations.agent(url.protocol) : false
  deadline.signal.throwIfAborted()
  const request = create({
    ...optionsOf(url, delivery.headers),
    agent,
    lookup: lookupIn(destinations, url, deadline.signal),
  })
  const abort = () => request.destroy(deadline.signal.reason)
  deadline.signal.addEventListener('abort', abort)
  try {
    watchConnection(request, isSecure, deadline)
    request.end(delivery.body)
    return await responseOf(request, read)
  } catch (error) {
    request.destroy()
    throw error
  } finally {
    deadline.signal.removeEventListener('abort', abort)
  }
}

/** Names every option that the environment or the command line of Node could change. */
function optionsOf(url: URL, headers: Delivery['headers']): RequestOptions {
  const host = nameOf(url)
  return {
    method: 'POST',
    protocol: url.protocol,
    host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers,
    setHost: true,
    insecureHTTPParser: false,
    maxHeaderSize: headBytesMax,
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressMs },
    ...{ rejectUnauthorized: true, servername: isIP(host) === 0 ? host : '' },
  }
}

/**
 * What the connection uses in place of a lookup of its own, so it is made to an address that was checked. Node calls it for names
 * only; `Destinations.refusal` has checked a URL with an address.
 */
function lookupIn(destinations: Destinations, url: URL, signal: AbortSignal): LookupFunction {
  return (_, __, done) => {
    destinations.addresses(url, signal).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => done(error, []),
    )
  }
}

function watchConnection(request: ClientRequest, isSecure: boolean, deadline: Deadline): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) deadline.connected()
    else socket.once(isSecure ? 'secureConnect' : 'connect', () => deadline.connected())
  })
  let informed = 0
  request.on('information', () => {
    informed++
    if (informed > informationMax) request.destroy(new Failure('The response does not begin'))
  })
}

/** What `read` makes of the response, which also sees how the response fails. A connection that cannot be used again afterwards is closed. */
function responseOf<T>(request: ClientRequest, read: SendOptions<T>['read']): Promise<T> {
  return new Promise((resolve, reject) => {
    let responded = false
    request.on('error', (error) => {
      if (responded) return
      const isStale = request.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(codeOf(error))
      reject(isStale ? new StaleConnection('', { cause: error }) : error)
    })
    request.on('close', () => {
      if (!responded) reject(new Failure('The connection was closed before a response'))
    })
    request.on('response', (response) => {
      responded = true
      read(response).then((result) => {
        if (!response.complete || !request.writableFinished) request.destroy()
        resolve(result)
      }, reject)
    })
  })
}
