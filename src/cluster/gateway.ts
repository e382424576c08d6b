import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Endpoint } from './log-url.ts'

export interface GatewayOptions {
  endpoints: readonly Endpoint[]
  /** In PEM; default: no TLS. */
  tls?: { ca?: string | undefined; cert?: string | undefined; key?: string | undefined } | undefined
  user?: string | undefined
  password?: string | undefined
}

/** No answer: the connection broke, or the time was over. What was asked may have happened, or may happen yet. */
class UnknownOutcome extends Error {
  override name = 'UnknownOutcome'
}

/** etcd has answered that it does not do this. Nothing was done. */
export class Refused extends Error {
  override name = 'Refused'
  /** The code of gRPC. */
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }

  /** Whether etcd has no space left. */
  get isFull(): boolean {
    return this.message.includes('database space exceeded')
  }

  /** Whether what was asked for has been compacted before. */
  get isCompacted(): boolean {
    return this.message.includes('has been compacted')
  }
}

/** How long a member may send nothing. An answer may take longer: up to 16 MiB of entries, on a slow network. */
const attemptMs = 1_000
/** How much of a request a slow network sends in a millisecond. An entry that never arrives in time would be repeated forever. */
const bytesPerMs = 500
const connectMs = 500
const answerBytesMax = 64 * 2 ** 20
const explanationLengthMax = 200
/** Nothing was done, but another member may be able to. */
const elsewhere = /no leader|leader changed|not capable|too many requests/
const timedOut = /timed out|timeout/
/** A token of the form JWT is refused after each change of users or roles. */
const staleToken = /invalid auth token|auth: |auth store is old/
const unavailable = 14

/** Whether etcd has failed, and not this machine. */
export function isOfEtcd(error: unknown): boolean {
  return error instanceof UnknownOutcome || error instanceof Refused
}

/** Nothing was sent. */
class NotSent extends Error {}

/** Requests to etcd's JSON gateway, at one of its members. */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #agent: HttpAgent | HttpsAgent
  /** The index of the member that answered last. */
  #latest = 0
  #token: string | undefined

  constructor(options: GatewayOptions) {
    this.#options = options
    const agent = { keepAlive: true, maxSockets: 16 }
    this.#agent = options.tls ? new HttpsAgent({ ...agent, ...options.tls }) : new HttpAgent(agent)
  }

  /**
   * Sends a request to one member after another until one of them answers. If the outcome is unknown, the next one is only asked if
   * `isRepeatable`. Throws UnknownOutcome, Refused.
   */
  async call(path: string, body: object, isRepeatable: boolean): Promise<Record<string, unknown>> {
    if (this.#options.user !== undefined && this.#token === undefined) await this.#authenticate()
    try {
      return await this.#callAny(path, body, isRepeatable)
    } catch (error) {
      if (this.#token === undefined || !(error instanceof Refused) || !staleToken.test(error.message)) throw error
      await this.#authenticate()
      return this.#callAny(path, body, isRepeatable)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #authenticate(): Promise<void> {
    this.#token = undefined
    const { user: name, password } = this.#options
    const { token } = await this.#callAny('/v3/auth/authenticate', { name, password }, true)
    this.#token = String(token)
  }

  async #callAny(path: string, body: object, isRepeatable: boolean): Promise<Record<string, unknown>> {
    const { endpoints } = this.#options
    const text = JSON.stringify(body)
    let last: unknown
    for (let tried = 0; tried < endpoints.length; tried++) {
      const index = (this.#latest + (tried === 0 ? 0 : 1)) % endpoints.length
      this.#latest = index
      try {
        return await this.#callOne(endpoints[index]!, path, text)
      } catch (error) {
        last = error
        const isElsewhere = error instanceof Refused && elsewhere.test(error.message)
        if (!(error instanceof NotSent || isElsewhere || (isRepeatable && error instanceof UnknownOutcome))) throw error
      }
    }
    if (last instanceof NotSent) throw new Refused(`etcd cannot be reached: ${last.message}`, unavailable)
    throw last
  }

  #callOne({ host, port }: Endpoint, path: string, text: string): Promise<Record<string, unknown>> {
    const request = this.#options.tls ? httpsRequest : httpRequest
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      ...(this.#token !== undefined && { Authorization: this.#token }),
    }
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
    const req = openRequest(() => request({ host, port, path, method: 'POST', headers, agent: this.#agent }))
    let isSent = false
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(isSent ? new UnknownOutcome(error.message) : new NotSent(error.message))
      req.destroy()
    }
    let timer = setTimeout(() => fail(new Error(`${host}:${port} cannot be reached`)), connectMs)
    const send = () => {
      clearTimeout(timer)
      const msMax = attemptMs + text.length / bytesPerMs
      timer = setTimeout(() => fail(new Error(`${host}:${port} did not answer`)), msMax)
      isSent = true
      req.end(text)
    }
    req.on('error', fail)
    req.on('socket', (socket) => {
      const connected = this.#options.tls ? 'secureConnect' : 'connect'
      if (socket.connecting) socket.once(connected, send)
      else send()
    })
    req.on('response', (res) => {
      const parts: Buffer[] = []
      let bytes = 0
      res.on('error', fail)
      res.on('close', () => res.complete || fail(new Error('the answer is not complete')))
      res.on('data', (part: Buffer) => {
        timer.refresh()
        parts.push(part)
        bytes += part.length
        if (bytes > answerBytesMax) fail(new Error('the answer is too long'))
      })
      res.on('end', () => {
        clearTimeout(timer)
        try {
          resolve(read(parse(Buffer.concat(parts).toString())))
        } catch (error) {
          reject(error instanceof Refused ? error : new UnknownOutcome((error as Error).message))
        }
      })
    })
    return promise
  }
}

/** Throws NotSent for a certificate or a key that cannot be read. */
function openRequest(open: () => ClientRequest): ClientRequest {
  try {
    return open()
  } catch (error) {
    throw new NotSent((error as Error).message)
  }
}

/** etcd's gateway explains some refusals in plain text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnknownOutcome(`etcd answered: ${text.slice(0, explanationLengthMax)}`)
  }
}

/** Throws Refused, or UnknownOutcome if etcd itself does not know. */
function read(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null) throw new UnknownOutcome('the answer is not an object')
  const { error, message, code } = answer as Record<string, unknown>
  const text = [message, error].find((each) => typeof each === 'string') as string | undefined
  if (text === undefined) return answer as Record<string, unknown>
  if (timedOut.test(text)) throw new UnknownOutcome(text)
  throw new Refused(text, Number(code))
}
