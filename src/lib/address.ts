import { isIPv6, type Socket } from 'node:net'

const groupsOfPrefix = 4
const mappedPrefix = '::ffff:'

/** The address of the peer. An IPv4 address mapped into IPv6 is returned as IPv4. */
export function addressOf({ remoteAddress = '' }: Socket): string {
  return unmapped(remoteAddress)
}

/** `::ffff:192.0.2.1` as `192.0.2.1`. */
export function unmapped(address: string): string {
  return address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address
}

/**
 * The name by which limits count a client: an IPv4 address itself, or the /64 of an IPv6 address (`2001:db8:0:1::/64`), because a client
 * usually controls all of it.
 */
export function addressPrefix(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const leading = groupsOf(head)
  const missing = address.includes('::') ? 8 - leading.length - groupsOf(tail).length : 0
  const groups = [...leading, ...Array<string>(missing).fill('0'), ...groupsOf(tail)]
  return `${groups.slice(0, groupsOfPrefix).join(':')}::/64`
}

/** `2001:0db8:192.0.2.1` as `['2001', 'db8', …]`; an embedded IPv4 address counts as two groups. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text
    .split(':')
    .flatMap((group) => (group.includes('.') ? [group, ''] : [Number.parseInt(group, 16).toString(16)]))
}
