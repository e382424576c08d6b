import type { IncomingMessage } from 'node:http'
import { Deadline } from './deadline.ts'
import type { Destinations } from './destinations.ts'
import { sentenceOf } from './failure.ts'
import { type Delivery, StaleConnection, send } from './send.ts'

export type { Delivery }

/** The outcome of an attempt. Either `status` or `error` is null: once there is a status, it is the outcome, however the body ends. */
export interface Sent {
  status: number | null
  ms: number
  /** The beginning of the response as text. */
  response: string | null
  /** A sentence that says why there was no response. */
  error: string | null
  retryAfterMs: number | null
}

export interface AttemptOptions {
  connectMs?: number
  totalMs?: number
  /** Ends the attempt. */
  signal?: AbortSignal
}

/** For the name, the connection and the TLS handshake. */
const connectMsMax = 5_000
const totalMsMax = 15_000
const responseBytesShown = 2_048
const responseBytesMax = 65_536
const retryAfterMsMax = 86_400_000

/** Sends one request. Never rejects. It follows no redirect and uses no proxy (decision H6). */
export async function attempt(
  delivery: Delivery,
  destinations: Destinations,
  { connectMs = connectMsMax, totalMs = totalMsMax, signal }: AttemptOptions = {},
): Promise<Sent> {
  const startedAt = performance.now()
  const deadline = new Deadline(connectMs, totalMs, signal)
  const outcome = await deliver(delivery, destinations, deadline).catch(failed)
  deadline.end()
  return { ...outcome, ms: Math.round(performance.now() - startedAt) }
}

type Outcome = Omit<Sent, 'ms'>

async function deliver(delivery: Delivery, destinations: Destinations, deadline: Deadline): Promise<Outcome> {
  const refusal = destinations.refusal(delivery.url)
  if (refusal !== undefined) return failed(undefined, refusal)
  const post = (reuse: boolean) => send(delivery, destinations, deadline, { reuse, read })
  return post(true).catch((error) => {
    if (error instanceof StaleConnection) return post(false)
    throw error
  })
}

function failed(error: unknown, sentence = sentenceOf(error)): Outcome {
  return { status: null, response: null, error: sentence, retryAfterMs: null }
}

/** Resolves when the response has ended, was cut off, or is longer than anyone needs. */
function read(response: IncomingMessage): Promise<Outcome> {
  const shown: Buffer[] = []
  let bytes = 0
  return new Promise((resolve) => {
    const end = () => {
      resolve({
        status: response.statusCode!,
        response: textOf(Buffer.concat(shown), bytes > responseBytesShown),
        error: null,
        retryAfterMs: retryAfter(response.headers['retry-after'], Date.now()),
      })
    }
    response.on('error', end).on('close', end)
    response.on('data', (chunk: Buffer) => {
      if (bytes < responseBytesShown) shown.push(Buffer.from(chunk.subarray(0, responseBytesShown - bytes)))
      bytes += chunk.length
      if (bytes > responseBytesMax) end()
    })
  })
}

/** A character that is cut in two is left out; bytes that are not UTF-8 are replaced. */
function textOf(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut })
}

/** The milliseconds that `Retry-After` asks for, as seconds or as a date; at most 24 h. Null if there is none. */
export function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,12}$/.test(header) ? Number(header) * 1_000 : dateOf(header) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), retryAfterMsMax)
}

/** One of the three forms of dates in HTTP (RFC 9110). The old one of C has no time zone, and means GMT. */
function dateOf(header: string): number {
  if (header.endsWith('GMT')) return Date.parse(header)
  return /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(header)
    ? Date.parse(`${header} GMT`)
    : Number.NaN
}
