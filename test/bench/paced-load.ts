import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

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
  readonly #socket: Socket
  /** When the requests were due that have no response yet, oldest first. They are sent one after the other. */
  readonly #due: number[] = []
  #received = ''

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay().setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('close', () => this.#due.splice(0))
  }

  get isIdle(): boolean {
    return this.#due.length === 0
  }

  request(dueMs: number): void {
    if (!this.#socket.destroyed && this.#due.push(dueMs) === 1) this.#send()
  }

  #send(): void {
    this.#socket.write(heads[sent++ % heads.length]!)
  }

  #receive(text: string): void {
    this.#received += text
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/content-length: (\d+)/i.exec(this.#received)![1])
    if (this.#received.length < end + 4 + length) return
    if (!this.#received.startsWith('HTTP/1.1 200')) refused++
    this.#received = ''
    latencies.push(performance.now() - this.#due.shift()!)
    if (this.#due.length > 0) this.#send()
  }
}

const { url, headers, paths, connections, perSecond, seconds } = JSON.parse(process.argv[2]!) as PacedLoad
const { hostname, port, host } = new URL(url)
const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
const heads = paths.map((path) => `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`)
const latencies: number[] = []
let sent = 0
let refused = 0

const open: Connection[] = []
while (open.length < connections) {
  const count = Math.min(openedAtOnce, connections - open.length)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  open.push(...sockets.map((socket) => new Connection(socket)))
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
