import { openRaw, type RawResponse, readResponses } from '../support/raw.ts'

export interface HeldRequest {
  /** Sends the body. Returns the response. */
  finish(): Promise<RawResponse>
}

/** Sends a request without its body. Resolves when the server has admitted it and waits for the body. */
export async function hold(
  url: string,
  [method, path]: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<HeldRequest> {
  const text = JSON.stringify(body)
  const connection = openRaw(url)
  const fields = {
    Host: new URL(url).host,
    Connection: 'close',
    Expect: '100-continue', // the server responds with 100 in the turn in which it admits the request
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  connection.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const continues = 'HTTP/1.1 100 Continue\r\n\r\n'
  await connection.until(continues)
  return {
    async finish() {
      connection.write(text)
      const [response] = readResponses((await connection.closed()).replace(continues, ''))
      return response!
    },
  }
}
