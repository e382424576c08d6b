import { BlockList, isIP } from 'node:net'

/**
 * AddressRanges of the IANA registries of special-purpose addresses that are not the public Internet, and those that lead into such a range
 * through a translator or a relay (decision H6).
 */
const reserved4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider (CGNAT)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata of cloud machines
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/** The only range from which public IPv6 addresses are assigned. IPv4-mapped, NAT64 and private addresses are outside of it. */
const assigned6 = addressRangesOf(['2000::/3'])
const reserved6 = addressRangesOf([
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
])
const reserved = addressRangesOf(reserved4)
const loopback = addressRangesOf(['127.0.0.0/8', '::1/128'])

/** A set of addresses. An IPv4 address mapped into IPv6 is an IPv6 address here, unlike in BlockList. */
export interface AddressRanges {
  add(address: string, bits?: number): void
  has(address: string): boolean
  readonly isEmpty: boolean
}

/** AddressRanges in CIDR notation. */
export function addressRangesOf(subnets: readonly string[]): AddressRanges {
  let made: Lists | undefined
  const lists = () => (made ??= listsOf(subnets)) // with the first question: most servers never ask one
  return {
    add: (address, bits) => addTo(lists(), address, bits),
    has(address) {
      const version = versionOf(address)
      return version !== undefined && lists()[version].check(address, `ipv${version}`)
    },
    get isEmpty() {
      return lists()[4].rules.length + lists()[6].rules.length === 0
    },
  }
}

type Lists = Record<4 | 6, BlockList>

function listsOf(subnets: readonly string[]): Lists {
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    addTo(lists, address, Number(bits))
  }
  return lists
}

function addTo(lists: Lists, address: string, bits?: number): void {
  const version = versionOf(address)
  if (version) lists[version].addSubnet(address, bits ?? (version === 4 ? 32 : 128), `ipv${version}`)
}

/** Undefined for a text that is no address, and for an address with a zone (`fe80::1%eth0`), which is local. */
function versionOf(address: string): 4 | 6 | undefined {
  const version = isIP(address)
  return version === 0 || address.includes('%') ? undefined : (version as 4 | 6)
}

export function isPublic(address: string): boolean {
  return isIP(address) === 4 ? !reserved.has(address) : assigned6.has(address) && !reserved6.has(address)
}

export function isLoopback(address: string): boolean {
  return loopback.has(address)
}
