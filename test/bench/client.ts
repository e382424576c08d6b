import { Agent, request } from 'node:http'

export interface Timed {
  ms: number
  status: number
  text: string
}

/** A keep-alive connection that measures the time to the complete response. */
export class TimedClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  ask(path: string, method = 'GET', body?: string): Promise<Timed> {
    const begin = performance.now()
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    }
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#url}${path}`, { agent: this.#agent, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const status = response.statusCode!
          if (status >= 300) reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`))
          else resolve({ ms: performance.now() - begin, status, text })
        })
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
