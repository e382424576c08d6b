import { promises as dns } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, Failure, noAddress } from './failure.ts'

/** Finds the addresses of a name, IPv4 before IPv6. Rejects with a Failure if there are none. */
export interface Resolver {
  resolve(name: string, signal: AbortSignal): Promise<string[]>
}

const hostsPath = '/etc/hosts'
const hostsBytesMax = 2 ** 20
const query = { timeout: 1_000, tries: 2, maxTimeout: 2_000 }
/** How long the addresses of one family wait for those of the other one. */
const otherFamilyMs = 300
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * The machine's hosts file and its name servers. It asks the name servers itself, because `dns.lookup` occupies a thread of libuv's
 * pool until they answer, and syncs of the database wait for these threads (decision H6).
 */
export class SystemResolver implements Resolver {
  readonly #servers: readonly string[] | undefined
  #hosts = new Map<string, string[]>()
  #hostsVersion = ''

  /** Name servers instead of those of the machine, such as `127.0.0.1:53`. */
  constructor(servers?: readonly string[]) {
    this.#servers = servers
  }

  async resolve(name: string, signal: AbortSignal): Promise<string[]> {
    return this.#inHosts(name) ?? (await this.#ask(name, signal))
  }

  #inHosts(name: string): string[] | undefined {
    const file = statSync(hostsPath, { throwIfNoEntry: false })
    const version = file ? `${file.mtimeMs} ${file.size}` : ''
    if (version !== this.#hostsVersion) {
      this.#hosts = file && file.size <= hostsBytesMax ? parseHosts(readFileSync(hostsPath, 'utf8')) : new Map()
      this.#hostsVersion = version
    }
    return this.#hosts.get(name)
  }

  /** A client for each name: it uses the current name servers, and cancelling it ends only its own queries. */
  async #ask(name: string, signal: AbortSignal): Promise<string[]> {
    const client = new dns.Resolver(query)
    if (this.#servers) client.setServers(this.#servers)
    const cancel = () => client.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await bothFamilies(name, [client.resolve4(name), client.resolve6(name)])
    } finally {
      signal.removeEventListener('abort', cancel)
      cancel()
    }
  }
}

/** The addresses of each name in the text of a hosts file. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address])
  }
  return hosts
}

/** Some name servers never answer queries for IPv6: once there are addresses of one family, the other one has little time. */
async function bothFamilies(name: string, queries: readonly Promise<string[]>[]): Promise<string[]> {
  const found: string[][] = []
  const all = Promise.allSettled(
    queries.map(async (asked, family) => {
      found[family] = await asked
    }),
  )
  const timer = new AbortController()
  const first = Promise.any(queries).then(() => delay(otherFamilyMs, undefined, { signal: timer.signal }))
  await Promise.race([all, first.catch(() => all)])
  timer.abort()
  const addresses = found.flat()
  if (addresses.length > 0) return addresses
  throw failureOf(name, await all)
}

function failureOf(name: string, results: readonly PromiseSettledResult<unknown>[]): Failure {
  const codes = results.map((result) => (result.status === 'rejected' ? codeOf(result.reason) : 'ENODATA'))
  return codes.every((code) => absent.has(code))
    ? noAddress(name)
    : new Failure(`The address of ${name} could not be found: the name servers did not answer`)
}
