import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { addressOf, unmapped } from '../lib/address.ts'

/** Subnets that a setting may name by a word. */
const words: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '127.0.0.0/8', '::1/128'],
}

/** Whose request it is. */
export type ClientAddress = (req: IncomingMessage) => string

/**
 * The address of the connection; where that is a trusted proxy, the last in `X-Forwarded-For` that is none. A word (`loopback`, `private`) trusts
 * the proxy that connects and nothing behind it, since clients may have such addresses, too: what they sent themselves stands further left.
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return ({ socket }) => addressOf(socket)
  const walk = walkerOver(trusted)
  return (req) => walk(req).address
}

/**
 * Whether the client came by HTTPS: to us, to a trusted proxy that says so, or by the word of its browser, whose `Origin` no page can
 * write (so behind a proxy that nobody named, too).
 */
export type IsSecure = (req: IncomingMessage) => boolean

export function clientSecurity(trusted: readonly string[]): IsSecure {
  const walk = walkerOver(trusted)
  return (req) => {
    const { origin, 'x-forwarded-proto': forwarded } = req.headers
    if ('encrypted' in req.socket || origin?.startsWith('https:')) return true
    if (forwarded === undefined) return false
    const { proxies } = walk(req)
    const protocols = listOf(forwarded)
    // Each proxy adds a value, or there is one of all: the one that the proxy next to the client has added.
    return proxies > 0 && protocols.at(-Math.min(proxies, protocols.length))!.trim().toLowerCase() === 'https'
  }
}

/** From the connection back to the client. */
interface Walk {
  address: string
  /** How many trusted proxies there are on the way. */
  proxies: number
}

function walkerOver(trusted: readonly string[]): (req: IncomingMessage) => Walk {
  const isNamed = among(trusted.filter((each) => !(each in words)))
  const isNearest = trustedNearest(trusted)
  return ({ socket, headers }) => {
    let address = addressOf(socket)
    let proxies = 0
    const forwarded = listOf(headers['x-forwarded-for'] ?? []).map(plain)
    while (proxies === 0 ? isNearest(address) : isNamed(address)) {
      proxies++
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) break
      address = before
    }
    return { address, proxies }
  }
}

/** Whether the connection of an address is one of a trusted proxy. */
export function trustedNearest(trusted: readonly string[]): (address: string) => boolean {
  return among(trusted.flatMap((each) => words[each] ?? [each]))
}

function among(subnets: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const subnet of subnets) addSubnet(list, subnet)
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function addSubnet(to: BlockList, subnet: string): void {
  const [address = '', bits] = subnet.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) to.addAddress(address, family)
  else to.addSubnet(address, Number(bits), family)
}

/** The values of a header that may come several times. */
function listOf(header: string | readonly string[]): string[] {
  return [header].flat().join(',').split(',')
}

/** Without the port, brackets and spaces that some proxies add. */
function plain(text: string): string {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? []
  return unmapped(bracketed ?? v4 ?? text.trim())
}
