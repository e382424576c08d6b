import type { Agent } from 'node:http'
import { isIP } from 'node:net'
import type { AllowedDestination } from '../../../lib/setting-kinds.ts'
import { hasCredentials, parseWebUrl } from '../../../lib/web-url.ts'
import { type AddressRanges, addressRangesOf, isLoopback, isPublic } from './address-ranges.ts'
import { createAgent } from './agents.ts'
import { Failure, noAddress } from './failure.ts'
import { type Resolver, SystemResolver } from './resolver.ts'

export interface DestinationOptions {
  /** Allows the addresses of this machine, for the sandbox. */
  loopback?: boolean
  resolver?: Resolver
  /** A name server instead of those of the machine, such as `127.0.0.1:53`. */
  dns?: string | undefined
}

const urlLengthMax = 2_048
const nameLengthMax = 253
const labelLengthMax = 63
/** Several addresses of a name are tried one after the other. */
const addressesMax = 6
const localAddresses = ['127.0.0.1', '::1']

/** Where webhooks may be sent, and the connections to there (decision H6). */
export class Destinations {
  readonly #loopback: boolean
  readonly #resolver: Resolver
  readonly #ranges = addressRangesOf([])
  readonly #rangesByPort = new Map<number, AddressRanges>()
  /** `name:port` */
  readonly #names = new Set<string>()
  readonly #agents = new Map<string, Promise<Agent>>()

  constructor(allowed: readonly AllowedDestination[] = [], options: DestinationOptions = {}) {
    this.#loopback = options.loopback ?? false
    this.#resolver = options.resolver ?? new SystemResolver(options.dns === undefined ? undefined : [options.dns])
    for (const destination of allowed) this.#allow(destination)
  }

  /** Why nothing can ever be delivered to a URL; undefined if it can be tried. */
  refusal(url: string): string | undefined {
    return malformed(url) ?? this.#forbidden(new URL(url))
  }

  /** The addresses of a URL's name that it may connect to. Throws Failure if there are none. */
  async addresses(url: URL, signal: AbortSignal): Promise<string[]> {
    const name = nameOf(url)
    const found = knownAddresses(name) ?? (await this.#resolver.resolve(name, signal))
    const permitted = found.filter((address) => this.#permits(url, address))
    if (permitted.length > 0) return permitted.slice(0, addressesMax)
    if (url.protocol === 'http:' && found.some(isPublic)) throw new Failure(`${name} must be called with https`)
    throw noAddress(name)
  }

  /** The connections for `http:` or `https:`. They are only open to addresses that were permitted for the same name and port. */
  agent(protocol: string): Promise<Agent> {
    const agent = this.#agents.get(protocol) ?? createAgent(protocol === 'https:')
    this.#agents.set(protocol, agent)
    return agent
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    for (const agent of this.#agents.values()) (await agent).destroy()
    this.#agents.clear()
  }

  #allow({ host, port, bits }: AllowedDestination): void {
    if (isIP(host) === 0) this.#names.add(`${nameOf({ hostname: host })}:${port}`)
    else if (port === undefined) this.#ranges.add(host, bits)
    else {
      const ranges = this.#rangesByPort.get(port) ?? addressRangesOf([])
      ranges.add(host)
      this.#rangesByPort.set(port, ranges)
    }
  }

  /** A name can be refused without its addresses only if no address would be permitted. */
  #forbidden(url: URL): string | undefined {
    const known = knownAddresses(nameOf(url))
    if (known?.some((address) => this.#permits(url, address))) return undefined
    if (known && !known.some(isPublic)) return 'Url must not lead to a private, loopback or otherwise reserved address'
    if (url.protocol === 'https:' || (!known && this.#mayAllow(url))) return undefined
    return 'Url must use https'
  }

  #permits(url: URL, address: string): boolean {
    return this.#allows(url, address) || (url.protocol === 'https:' && isPublic(address))
  }

  /** Whether the operator allows it, also with http. */
  #allows(url: URL, address: string): boolean {
    const port = portOf(url)
    if (this.#loopback && isLoopback(address)) return true
    if (this.#ranges.has(address) || this.#rangesByPort.get(port)?.has(address)) return true
    return this.#names.has(`${nameOf(url)}:${port}`)
  }

  #mayAllow(url: URL): boolean {
    const port = portOf(url)
    return !this.#ranges.isEmpty || this.#rangesByPort.has(port) || this.#names.has(`${nameOf(url)}:${port}`)
  }
}

/** What is wrong with the text of a URL, wherever it leads. */
function malformed(text: string): string | undefined {
  if (text.length > urlLengthMax) return `Url must have at most ${urlLengthMax} characters`
  const url = parseWebUrl(text)
  if (!url) return 'Url must be an absolute URL with https, without spaces or invisible characters'
  if (hasCredentials(text)) return 'Url must not have a user name or a password'
  if (text.includes('#')) return 'Url must not have a fragment'
  if (url.port === '0') return 'Url must not have port 0'
  return canExist(nameOf(url)) ? undefined : 'Url must have the name of a host that can exist'
}

/** Whether name servers could know a name (RFC 1035), or it is an address. */
function canExist(name: string): boolean {
  const labels = name.split('.')
  const isLong = name.length > nameLengthMax || labels.some(({ length }) => length > labelLengthMax)
  return isIP(name) !== 0 || !(isLong || labels.includes('') || labels.at(-1) === 'invalid')
}

/** The host of a URL without the brackets of an IPv6 address and the dot after a name. */
export function nameOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$|\.$/g, '')
}

export function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

/** The addresses of a host that has no others: an address, or a name for this machine. */
function knownAddresses(name: string): readonly string[] | undefined {
  if (isIP(name) !== 0) return [name]
  return name === 'localhost' || name.endsWith('.localhost') ? localAddresses : undefined
}
