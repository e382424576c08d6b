import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** A response as it was sent, before any decoding. */
export interface Encoded {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** Sends a request without `Accept-Encoding` unless `headers` has it. (`fetch` always sends one.) */
export function ask(
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', body, from }: { method?: string; body?: unknown; from?: string } = {},
): Promise<Encoded> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
    const asked = request(
      url,
      { method, headers: sent, agent: false, ...(from && { localAddress: from }) },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) })
      },
    )
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The body's text, whatever its coding. */
export function textOf({ headers, bytes }: Encoded): string {
  return String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes)
}
