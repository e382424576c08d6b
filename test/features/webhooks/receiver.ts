import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { JsonRecord } from '../../support/make.ts'
import { until } from '../../support/wait.ts'

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders
  body: string
  data: JsonRecord
}

type Respond = (response: ServerResponse, count: number, data: JsonRecord) => void

/** A receiver of webhooks on this machine. */
export class Receiver {
  readonly received: Received[] = []
  /** Default: 204. `count` is the number of the request, from 1. */
  respond: Respond = (response) => response.writeHead(204).end()
  #server: Server | undefined
  #port = 0

  static async open(t: Pick<TestContext, 'after'>): Promise<Receiver> {
    const receiver = new Receiver()
    await receiver.listen()
    t.after(() => receiver.close())
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`
  }

  /** Listens again at the same address after `close`. */
  async listen(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request.setEncoding('utf8')) body += part
      const data = JSON.parse(body)
      this.received.push({ headers: request.headers, body, data })
      this.respond(response, this.received.length, data)
    }).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }

  /** Waits until this many requests have arrived. */
  async until(count: number): Promise<Received[]> {
    await until(`the receiver has ${count} requests`, () => this.received.length, { is: (arrived) => arrived >= count })
    return this.received
  }

  /** The numbers of the changes in the order of their first arrival. */
  get numbers(): number[] {
    return [...new Set(this.received.map(({ data }) => data.seq))]
  }
}

/** Verifies a delivery with the public library of Standard Webhooks. Throws if it is not signed with the secret. */
export function verify(secret: string, { headers, body }: Received): void {
  new Webhook(secret).verify(body, headers as Record<string, string>)
}
