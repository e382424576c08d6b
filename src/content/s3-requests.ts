import type { Agent, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { hourMs } from '../lib/clock.ts'
import { emptySha256, queryOf, type SigningKey, signatureHeaders } from './s3-sign.ts'

export interface S3Setting extends SigningKey {
  /** The address of the server, without a path. */
  readonly endpoint: string
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Below the bucket; empty: the bucket itself. */
  key: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: S3Body
  /** Whether it can be sent again although it may still be on its way; default: yes. */
  isRepeatable?: boolean
}

interface S3Body {
  readonly bytes: number
  readonly sha256: string
  /** Opens it, for each attempt. */
  open(): Readable
}

/** S3 has answered that it does not do this. */
export class S3Refused extends Error {
  override name = 'S3Refused'
  readonly status: number

  constructor(status: number, reason: string) {
    super(`S3 answered ${status}${reason && `: ${reason}`}`)
    this.status = status
  }
}

const attemptsMax = 3
const retryMs = 200
/** How long nothing may arrive or be sent. */
const idleMs = 20_000
/** How long an answer may take to begin, and to a body that may be large. */
const answerMsMax = 60_000
const sendingMsMax = hourMs
const explanationBytesMax = 65_536

/** Signed requests to one bucket, with its name in the path. */
export class S3Requests {
  readonly #setting: S3Setting
  readonly #endpoint: URL
  readonly #http: typeof import('node:http') | typeof import('node:https')
  readonly #agent: Agent

  constructor(setting: S3Setting) {
    this.#setting = setting
    this.#endpoint = new URL(setting.endpoint)
    this.#http = process.getBuiltinModule(this.#endpoint.protocol === 'https:' ? 'node:https' : 'node:http')
    this.#agent = new this.#http.Agent({ keepAlive: true, maxFreeSockets: 16 })
  }

  /**
   * Resolves to an answer of success whose body has not been read. What fails for now is tried again. Throws S3Refused, or the error of the
   * connection.
   */
  async send(request: S3Request): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(request)
      } catch (error) {
        if (attempt === attemptsMax || !isPassing(error, request)) throw error
        await delay(retryMs * 4 ** (attempt - 1))
      }
    }
  }

  async #send({ method, key, query = {}, headers = {}, body }: S3Request): Promise<IncomingMessage> {
    const { hostname, host, port } = this.#endpoint
    const path = `/${this.#setting.bucket}${key && `/${key}`}`
    const sha256 = body?.sha256 ?? emptySha256
    const signed = signatureHeaders({ method, path, query, host, sha256, now: new Date() }, this.#setting)
    const length = body ? { 'content-length': String(body.bytes) } : {}
    const search = queryOf(query)
    const req = this.#http.request({
      ...{ method, agent: this.#agent, path: search ? `${path}?${search}` : path },
      ...{ hostname: hostname.replace(/^\[|\]$/g, ''), port, headers: { ...signed, ...length, ...headers } },
    })
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    req.on('response', resolve)
    req.on('error', reject)
    const giveUp = () => req.destroy(new Error('S3 did not answer in time'))
    req.setTimeout(idleMs, giveUp)
    const timer = setTimeout(giveUp, body ? sendingMsMax : answerMsMax)
    try {
      const sent = body ? pipeline(body.open(), req) : req.end()
      if (sent instanceof Promise) sent.catch(reject)
      const res = await answered
      if (!isSuccess(res)) throw await refusal(res)
      await sent
      req.setTimeout(0) // `partsOf` has a limit of its own
      return res
    } catch (error) {
      req.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The parts of an answer's body. Throws if none arrives for too long; the time in which the reader does not ask for one does not count. */
export async function* partsOf(res: IncomingMessage): AsyncIterable<Buffer> {
  const limit = () => setTimeout(() => res.destroy(new Error(`S3 sent nothing for ${idleMs / 1000} s`)), idleMs)
  let timer = limit()
  try {
    for await (const part of res) {
      clearTimeout(timer)
      yield part
      timer = limit()
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The whole body of an answer as text. Throws if it has more bytes. */
export async function textOf(res: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of partsOf(res)) {
    bytes += part.length
    if (bytes > bytesMax) throw new Error(`S3 answered with more than ${bytesMax} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}

/** The server is busy, has failed, or has waited too long. */
function isPassing(error: unknown, { isRepeatable = true }: S3Request): boolean {
  if (!(error instanceof S3Refused)) return isRepeatable
  return error.status >= 500 || error.status === 429 || error.message.includes('RequestTimeout')
}

async function refusal(res: IncomingMessage): Promise<S3Refused> {
  const text = await textOf(res, explanationBytesMax).catch(() => '')
  const [code = '', message = ''] = ['Code', 'Message'].map((name) => tag(text, name))
  return new S3Refused(res.statusCode!, [code, message].filter(Boolean).join(', ').slice(0, 300))
}

/** The text of the first element of this name, without its escapes. */
export function tag(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found?.replace(/&(lt|gt|quot|apos|amp);/g, (_, each: string) => escapes[each]!)
}

const escapes: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
