import { setTimeout as delay } from 'node:timers/promises'
import { RawConnection } from './raw-connection.ts'

// Opens many connections, each of which sends a request at fixed intervals, and prints the latencies. They count from the moment at which a
// request is due, so that a server that falls behind is not asked less. It is a process of its own, so that it can have its own core.

export interface PacedLoad {
  url: string
  headers: Record<string, string>
  /** What is requested, in turn. */
  paths: readonly string[]
  connections: number
  perSecond: number
  seconds: number
}

export interface Paced {
  requests: number
  /** Requests without a response, and responses other than 200. */
  errors: number
  p50: number
  p99: number
}

/** How many connections are opened at a time. */
const openedAtOnce = 100
/** How long, in seconds, responses that are late are waited for. */
const lateSecondsMax = 10

class Connection {
  /** When the requests were due that have no response yet, oldest first. They are sent one after the other. */
  readonly #due: number[] = []
  #raw!: RawConnection

  static async open(): Promise<Connection> {
    const connection = new Connection()
    connection.#raw = await RawConnection.open(url, {
      onResponse: (response) => connection.#receive(response),
      onClose: () => connection.#due.splice(0),
    })
    return connection
  }

  get isIdle(): boolean {
    return this.#due.length === 0
  }

  request(dueMs: number): void {
    if (!this.#raw.isClosed && this.#due.push(dueMs) === 1) this.#send()
  }

  #send(): void {
    this.#raw.send(heads[sent++ % heads.length]!)
  }

  #receive(response: string): void {
    if (!response.startsWith('HTTP/1.1 200')) refused++
    latencies.push(performance.now() - this.#due.shift()!)
    if (this.#due.length > 0) this.#send()
  }
}

const { url, headers, paths, connections, perSecond, seconds } = JSON.parse(process.argv[2]!) as PacedLoad
const { host } = new URL(url)
const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
const heads = paths.map((path) => `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`)
const latencies: number[] = []
let sent = 0
let refused = 0

const open: Connection[] = []
while (open.length < connections) {
  const count = Math.min(openedAtOnce, connections - open.length)
  open.push(...(await Promise.all(Array.from({ length: count }, Connection.open))))
}

const begin = performance.now()
const gapMs = 1000 / (connections * perSecond)
const total = connections * perSecond * seconds
for (let count = 0; count < total; await delay(1)) {
  const now = performance.now() - begin
  for (; count < total && count * gapMs <= now; count++) open[count % connections]!.request(begin + count * gapMs)
}
for (let waited = 0; waited < lateSecondsMax && open.some(({ isIdle }) => !isIdle); waited++) await delay(1000)

latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
const result: Paced = { requests: total, errors: total - latencies.length + refused, p50: at(0.5), p99: at(0.99) }
console.log(JSON.stringify(result))
process.exit()
