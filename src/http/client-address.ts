import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { addressOf, unmapped } from '../lib/address.ts'

/** Words that stand for subnets in settings. */
const words: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '127.0.0.0/8', '::1/128'],
}

export type ClientAddress = (req: IncomingMessage) => string

/**
 * The address of the connection. If that is a trusted proxy: the last address in `X-Forwarded-For` that is not a trusted proxy. A word
 * (`loopback`, `private`) trusts only the proxy that connects, since clients may have such addresses, too.
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return ({ socket }) => addressOf(socket)
  const walk = walkerOver(trusted)
  return (req) => walk(req).address
}

/**
 * Whether the client uses HTTPS: directly, according to a trusted proxy, or according to the browser's `Origin`, which no page can set
 * (this also works behind a proxy that is not listed as trusted).
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
    // Each proxy adds a value, or there is a single one. The proxy next to the client decides.
    return proxies > 0 && protocols.at(-Math.min(proxies, protocols.length))!.trim().toLowerCase() === 'https'
  }
}

/** The way from the connection back to the client. */
interface Walk {
  address: string
  /** The number of trusted proxies on the way. */
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

/** Whether a connection from an address comes from a trusted proxy. */
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

/** The values of a header that may be repeated. */
function listOf(header: string | readonly string[]): string[] {
  return [header].flat().join(',').split(',')
}

/** Removes the port, brackets and spaces that some proxies add. */
function plain(text: string): string {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? []
  return unmapped(bracketed ?? v4 ?? text.trim())
}
