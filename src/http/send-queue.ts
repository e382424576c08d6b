import { readFileSync } from 'node:fs'
import { isIPv4, type Socket } from 'node:net'
import { addressOf } from '../lib/address.ts'

/**
 * The number of sent bytes that the peer has not acknowledged, according to the kernel. If it decreases, the peer is reading. The event
 * `drain` shows that only once a third of a buffer of megabytes is free. Undefined on systems other than Linux.
 */
export function unacknowledgedBytes(socket: Socket): number | undefined {
  const { localPort, remotePort } = socket
  if (localPort === undefined || remotePort === undefined) return undefined
  const address = addressOf(socket)
  const remote = `${isIPv4(address) ? hexOf(address) : ''}:${hexPort(remotePort)}`
  for (const table of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    const fields = lookup(table, `:${hexPort(localPort)}`, remote)
    if (fields) return Number.parseInt(fields[4]!.split(':')[0]!, 16)
  }
  return undefined
}

function lookup(table: string, local: string, remote: string): string[] | undefined {
  try {
    const rows = readFileSync(table, 'latin1').split('\n').slice(1)
    return rows
      .map((row) => row.trim().split(/\s+/))
      .find(([, from, to]) => from?.endsWith(local) && to?.endsWith(remote))
  } catch {
    return undefined
  }
}

/** An address as the kernel prints it: in hexadecimal, with the bytes in the machine's order. */
function hexOf(address: string): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  return bytes.reverse().join('').toUpperCase()
}

function hexPort(port: number): string {
  return port.toString(16).padStart(4, '0').toUpperCase()
}
