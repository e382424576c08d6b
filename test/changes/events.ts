import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { Client } from '../support/client.ts'
import { assertDescribed } from '../support/described.ts'
import type { JsonRecord } from '../support/make.ts'
import { until, within } from '../support/wait.ts'

/** Some tests wait for a time limit of the server. */
const limitMs = 120_000

export interface StreamedEvent {
  id: string
  event: string
  data: JsonRecord
}

/** A stream of events, read as it arrives. */
export interface Stream {
  status: number
  headers: IncomingMessage['headers']
  /** Everything received so far. */
  received(): string
  /** Resolves with the next event. */
  next(): Promise<StreamedEvent>
  /** Resolves with everything received as soon as that contains `text`. */
  until(text: string): Promise<string>
  /** Resolves when the server has ended the stream, or closed the connection. */
  ended(): Promise<void>
  /** Stops reading. */
  pause(): void
  close(): void
}

type Headers = Readonly<Record<string, string>>

export const asEvents = { Accept: 'text/event-stream' }

/** Opens a stream of a client's events. Fails if the server does not. */
export function openStream(
  t: Pick<TestContext, 'after'>,
  url: string,
  { key }: Pick<Client, 'key'>,
  { query = '', headers = {} }: { query?: string; headers?: Headers } = {},
): Promise<Stream> {
  return openStreamAs(t, url, { Authorization: `Bearer ${key}`, ...headers }, query)
}

/** The same with the headers that identify the caller. */
export async function openStreamAs(
  t: Pick<TestContext, 'after'>,
  url: string,
  headers: Headers,
  query = '',
): Promise<Stream> {
  const address = `${url}/api-v1-changes${query}`
  const sent = request(address, { agent: false, headers: { ...asEvents, ...headers } })
  sent.on('error', () => {}) // the test may close it
  sent.end()
  t.after(() => sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const status = response.statusCode!
  if (status !== 200) assert.fail(`${status} ${await text(response)}`)
  const described = { method: 'GET', url: address, status, headers: new Headers(response.headers as Headers), body: '' }
  assertDescribed(described)
  return { ...readEvents(response), status, headers: response.headers, close: () => sent.destroy() }
}

/** Opens a stream as soon as the client may have another one. */
export async function openOnceAdmitted(...given: Parameters<typeof openStream>): Promise<Stream> {
  const open = () => openStream(...given).catch((error: Error) => void assert.match(error.message, /^429 /))
  return (await until('another stream is admitted', open)) as Stream
}

function readEvents(response: IncomingMessage) {
  let received = ''
  let place = 0
  let notify = () => {}
  response.setEncoding('utf8')
  response.on('data', (chunk) => {
    received += chunk
    notify()
  })
  response.on('error', () => {})
  response.on('close', () => notify())
  const wait = <T>(what: string, find: () => T | undefined) => {
    const waiting = new Promise<T>((resolve, reject) => {
      notify = () => {
        const found = find()
        if (found === undefined && !response.destroyed) return
        notify = () => {} // or it would find the next one, which nobody awaits
        if (found !== undefined) resolve(found)
        else reject(new Error(`The stream ended after: ${received.slice(-500)}`))
      }
      notify()
    })
    return within(what, waiting, { limitMs, saw: () => received.slice(-500) })
  }
  const nextEvent = () => {
    for (let end = received.indexOf('\n\n', place); end !== -1; end = received.indexOf('\n\n', place)) {
      const event = parse(received.slice(place, end))
      place = end + 2
      if (event) return event
    }
    return undefined
  }
  return {
    received: () => received,
    next: () => wait('the stream has the next event', nextEvent),
    until: (part: string) => wait(`the stream has ${part}`, () => (received.includes(part) ? received : undefined)),
    ended: () => wait('the stream has ended', () => (response.destroyed ? true : undefined)).then(() => {}),
    pause: () => void response.pause(),
  }
}

/** Undefined for a block without data: a comment, or the first one. */
function parse(block: string): StreamedEvent | undefined {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return fields.data === undefined ? undefined : { id: fields.id!, event: fields.event!, data: JSON.parse(fields.data) }
}
