import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

// A client that runs the named attacks at the same time until it is killed: `node attacker.ts <url> <key> <attack, …>`.

const [url = '', key = '', kinds = ''] = process.argv.slice(2)
const { hostname: host, port } = new URL(url)
const MiB = 2 ** 20
const json = 'Content-Type: application/json\r\n'
const signed = `HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`

const letters = Array.from({ length: 50 }, (_, at) => `name[like]=${'a'.repeat(200 + at)}b`).join('&')
const phones = Array.from({ length: 5 }, (_, at) => `phone[like]=${'a'.repeat(240 + at)}b`).join('&')
const lists = [
  `/api-v1-organizations?${letters}`,
  `/api-v1-contacts?${phones}`,
  '/api-v1-contacts?include=phones&limit=100',
]

const record = { first_name: 'Ada', metadata: { x: 'x'.repeat(16_000) } }
const bulk = Buffer.from(JSON.stringify({ records: Array(1_000).fill(record) }))
const addresses = Array.from({ length: 20 }, (_, at) => ({ email: `ada-${at}@example.com` }))
const long = JSON.stringify({ ...record, emails: addresses })
const signIn = Buffer.from(JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(MiB) }))

const attacks: Record<string, () => Promise<void>> = {
  /** Four connections that request the slowest lists. */
  lists: () => together(4, (at) => ask(`GET ${lists[at % lists.length]} ${signed}\r\n`)),
  /** Creates of contacts with much metadata and many addresses. */
  writes: () =>
    together(90, () => ask(`POST /api-v1-contacts ${signed}${json}Content-Length: ${long.length}\r\n\r\n${long}`)),
  /** Bulk bodies of 16 MiB whose last bytes are sent late. */
  bodies: () => together(120, () => upload('/api-v1-bulk/contacts', signed, bulk, 5_000)),
  /** Pages of 165 MB that the client does not read. */
  unread: () => together(15, () => ask(`GET /api-v1-activities?limit=1000 ${signed}\r\n`, 'unread')),
  /** Sign-ins with large bodies. */
  'sign-ins': () =>
    together(300, () =>
      upload('/console/session', 'HTTP/1.1\r\nHost: a\r\nKontor-Environment: live\r\n', signIn, 1_000),
    ),
  /** Twenty connections that send requests without waiting for responses, a packet of thousands at a time. */
  pipelined: () => together(20, flood),
}

await Promise.all(kinds.split(',').map((kind) => attacks[kind]!()))

/** Repeats an attack on `count` connections. */
async function together(count: number, attack: (at: number) => Promise<void>): Promise<void> {
  const forever = async (at: number) => {
    for (let round = at; ; round++) {
      await attack(round)
      await delay(20)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, at) => forever(at)))
}

function open(): { socket: Socket; closed: Promise<void> } {
  const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' }) // a different address from that of the client that measures
  socket.on('error', () => {})
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve())) }
}

/** Sends one request on a new connection. */
async function ask(text: string, reading: 'read' | 'unread' = 'read'): Promise<void> {
  const { socket, closed } = open()
  if (reading === 'unread') socket.pause()
  else socket.resume()
  socket.write(text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  await Promise.race([closed, delay(reading === 'unread' ? 15_000 : 30_000)])
  socket.destroy()
}

async function flood(): Promise<void> {
  const { socket, closed } = open()
  const packet = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_300)
  const send = () => {
    if (socket.writable) socket.write(packet, send)
  }
  socket.resume()
  send()
  await closed
}

async function upload(path: string, head: string, body: Buffer, holdMs: number): Promise<void> {
  const { socket, closed } = open()
  socket.resume()
  socket.write(`POST ${path} ${head}${json}Content-Length: ${body.length}\r\n\r\n`)
  socket.write(body.subarray(0, -10))
  await Promise.race([closed, delay(holdMs)])
  socket.write(body.subarray(-10))
  await Promise.race([closed, delay(1_000)])
  socket.destroy()
}
