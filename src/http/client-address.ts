import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { addressOf } from './exchange.ts'

/** Subnets that a setting may name by a word. */
const words: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '127.0.0.0/8', '::1/128'],
}

/** Whose request it is. */
export type ClientAddress = (req: IncomingMessage) => string

/**
 * The address of the connection; where that is one of the trusted proxies (addresses, subnets, `loopback`, `private`), the last in
 * `X-Forwarded-For` that is none of them. What stands further left anybody may have written. Throws on what is no address.
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return ({ socket }) => addressOf(socket)
  const isProxy = among(trusted)
  return ({ socket, headers }) => {
    let address = addressOf(socket)
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(plain)
    while (isProxy(address)) {
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/**
 * Whether the client came by HTTPS: to us, to a trusted proxy that says so, or by the word of its browser, whose `Origin` no page can
 * write (so behind a proxy that nobody named, too).
 */
export type IsSecure = (req: IncomingMessage) => boolean

export function clientSecurity(trusted: readonly string[]): IsSecure {
  const isProxy = among(trusted)
  return ({ socket, headers: { origin, 'x-forwarded-proto': forwarded } }) =>
    'encrypted' in socket || origin?.startsWith('https:') || (forwarded === 'https' && isProxy(addressOf(socket)))
}

/** Whether an address is in one of these subnets. */
export function among(subnets: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const subnet of subnets.flatMap((each) => words[each] ?? [each])) addSubnet(list, subnet)
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function addSubnet(to: BlockList, subnet: string): void {
  const [address = '', bits] = subnet.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) to.addAddress(address, family)
  else to.addSubnet(address, Number(bits), family)
}

/** Without the port, brackets and spaces that some proxies add. */
function plain(text: string): string {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? []
  const address = bracketed ?? v4 ?? text.trim()
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
