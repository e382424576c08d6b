import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'

export interface Exchanged {
  status: number
  headers: Headers
  text: string
}

const agent = new Agent({ keepAlive: true })
const decoder = new TextDecoder()

/** The connection was refused or ended before the response was complete. */
export class ConnectionError extends Error {}

/** Sends a request and reads the response as `fetch` does, at half of its cost. It does not decompress. Throws ConnectionError. */
export async function exchange(url: string, init: RequestInit): Promise<Exchanged> {
  try {
    const response = await begin(url, init)
    return { status: response.statusCode!, headers: headersOf(response), text: await textOf(response) }
  } catch (cause) {
    throw new ConnectionError(`${init.method ?? 'GET'} ${url} failed`, { cause })
  }
}

/** Resolves when the head of the response has arrived. */
function begin(url: string, { method = 'GET', headers, body }: RequestInit): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...defaultsFor(body), ...(headers as object) } }, resolve)
    sent.on('error', reject)
    if (body instanceof ReadableStream) Readable.fromWeb(body as never).pipe(sent)
    else sent.end(body ?? undefined)
  })
}

/** As `text` of `node:stream/consumers`, without its iteration. */
function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk) => chunks.push(chunk))
    response.on('end', () => resolve(decoder.decode(Buffer.concat(chunks))))
    response.on('error', reject)
  })
}

function defaultsFor(body: unknown): Record<string, string> {
  return typeof body === 'string' ? { 'Content-Type': 'text/plain;charset=UTF-8' } : {}
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return headers
}
