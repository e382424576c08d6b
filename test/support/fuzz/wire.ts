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
const answerMsMax = 30_000

/** Sends by a few connections that are kept. Throws where no answer comes. */
export function wireTo(url: string, connections: number) {
  const { hostname: host, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ method, target: path, headers, body }: Shot) =>
      new Promise<Reply>((resolve, reject) => {
        const options = { agent, host, port, method, path, headers, timeout: answerMsMax }
        const sent = request(options, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
          )
        })
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${answerMsMax} ms`)))
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
