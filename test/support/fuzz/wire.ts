import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request as the fuzzer draws it: sent as it is, sound or not. */
export interface Shot {
  /** As in the route's table, or undefined for a path of the fuzzer's own. */
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

/** Longer is a hang. */
const responseMsMax = 30_000

/** Sends by a few connections that are kept. Throws where no answer comes. */
export function wireTo(url: string, connections: number) {
  const { hostname: host, port } = new URL(url)
  /** What each connection carried last: where one is stuck, that may be why. */
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
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${responseMsMax} ms, after ${previous}`)))
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
