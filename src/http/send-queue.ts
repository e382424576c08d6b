import { readFileSync } from 'node:fs'
import { isIPv4, type Socket } from 'node:net'
import { addressOf } from '../lib/address.ts'

/** The bytes that are not acknowledged, of each connection of this machine by its ends. */
type Queues = ReadonlyMap<string, number>

/** Asking the kernel takes milliseconds, and many clients may read slowly: at most a tenth of the time is spent on it. */
const restShare = 9

let known: { queues: Queues; untilMs: number } | undefined

/**
 * The number of sent bytes that the peer has not acknowledged, according to the kernel, now or a moment ago. If it decreases, the peer is reading.
 * The event `drain` shows that only once a third of a buffer of megabytes is free. Undefined on systems other than Linux.
 */
export function unacknowledgedBytes(socket: Socket): number | undefined {
  const { localPort, remotePort } = socket
  if (localPort === undefined || remotePort === undefined) return undefined
  const address = addressOf(socket)
  const name = nameOf(hexPort(localPort), isIPv4(address) ? hexOf(address) : '', hexPort(remotePort))
  const recent = known && performance.now() < known.untilMs ? known.queues.get(name) : undefined
  return recent ?? readQueues().get(name) // a new connection is not among those of a moment ago
}

function readQueues(): Queues {
  const beginMs = performance.now()
  const queues = new Map<string, number>()
  for (const table of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) readInto(queues, table)
  const endMs = performance.now()
  known = { queues, untilMs: endMs + restShare * (endMs - beginMs) }
  return queues
}

/** Each connection has two names: one with the peer's IPv4 address, which is also the end of a mapped IPv6 address, and one without an address. */
function readInto(queues: Map<string, number>, table: string): void {
  for (const row of rowsOf(table)) {
    const [, from = '', to = '', , queue = ''] = row.trim().split(/\s+/)
    const [local = '', [address = '', remote = '']] = [from.split(':')[1], to.split(':')]
    for (const name of [nameOf(local, address.slice(-8), remote), nameOf(local, '', remote)]) {
      if (!queues.has(name)) queues.set(name, Number.parseInt(queue.split(':')[0]!, 16))
    }
  }
}

function rowsOf(table: string): string[] {
  try {
    return readFileSync(table, 'latin1').trimEnd().split('\n').slice(1)
  } catch {
    return []
  }
}

function nameOf(local: string, address: string, remote: string): string {
  return `${local} ${address}:${remote}`
}

/** An address as the kernel prints it: in hexadecimal, with the bytes in the machine's order. */
function hexOf(address: string): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  return bytes.reverse().join('').toUpperCase()
}

function hexPort(port: number): string {
  return port.toString(16).padStart(4, '0').toUpperCase()
}
