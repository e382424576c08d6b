import { connect, type Socket } from 'node:net'
import { within } from './wait.ts'

/** Some tests wait for a time limit of the server. */
const limitMs = 120_000

export interface RawResponse {
  status: number
  headers: Map<string, string>
  body: string
}

/** A TCP connection that sends text unchanged. */
export interface RawConnection {
  socket: Socket
  write(text: string): void
  /** Resolves with everything received as soon as that contains `text`. */
  until(text: string): Promise<string>
  /** Resolves with everything received once the server has closed the connection. */
  closed(): Promise<string>
}

/** Connects from the address `from`, which may be any of 127.0.0.0/8. */
export function openRaw(url: string, from = '127.0.0.1'): RawConnection {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), localAddress: from })
  let received = ''
  let notify = () => {}
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    received += chunk
    notify()
  })
  socket.on('error', () => {}) // the server may reset a connection that it rejects
  socket.on('close', () => notify())
  const wait = (what: string, done: () => boolean) => {
    const waiting = new Promise<string>((resolve, reject) => {
      notify = () => {
        if (done()) resolve(received)
        else if (socket.destroyed) reject(new Error(`The server closed the connection after: ${received}`))
      }
      notify()
    })
    return within(what, waiting, { limitMs, saw: () => received })
  }
  return {
    socket,
    write: (text) => void socket.write(text),
    until: (text) => wait(`the connection has received ${text}`, () => received.includes(text)),
    closed: () => wait('the server has closed the connection', () => socket.destroyed),
  }
}

/** Sends text. Returns everything received until the server closes the connection. */
export function sendRaw(url: string, text: string, from?: string): Promise<string> {
  const connection = openRaw(url, from)
  connection.write(text)
  return connection.closed()
}

/** Parses the responses that a connection received, in order. Without `bodies`, for responses to HEAD. */
export function readResponses(received: string, { bodies = true } = {}): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(lines.map((line) => splitOnce(line)))
    const length = bodies ? Number(headers.get('content-length') ?? 0) : 0
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}

function splitOnce(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
