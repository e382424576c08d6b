import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request of the fuzzer, valid or not. */
export interface Shot {
  /** The route's path; undefined for an unknown path or method. */
  route: string | undefined
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A response that takes longer counts as missing. */
const responseMsMax = 30_000

/** Sends requests over a few persistent connections. Throws if there is no response. */
export function wireTo(url: string, connections: number) {
  const { hostname: host, port } = new URL(url)
  /** The previous request of each connection, which may be the cause if the next one gets no response. */
  const before = new WeakMap<object, string>()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ method, target: path, headers, body }: Shot) =>
      new Promise<Reply>((resolve, reject) => {
        const options = { agent, host, port, method, path, headers, timeout: responseMsMax }
        const sent = request(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          )
        })
        let previous: string | undefined
        sent.on('socket', (socket) => {
          previous = before.get(socket)
          before.set(socket, `${method} ${path} ${JSON.stringify(headers)} ${body?.subarray(0, 200)}`)
        })
        sent.on('timeout', () => sent.destroy(new Error(`no response within ${responseMsMax} ms, after ${previous}`)))
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
