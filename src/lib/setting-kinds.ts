import { isIP } from 'node:net'
import * as v from 'valibot'
import { parseServerUrl, parseWebUrl } from './web-url.ts'

// Schemas that parse the text of a setting.

export const MiB = 2 ** 20

export const integer = (min: number, max: number, message: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.digits(message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )

export const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
/** Text, or undefined if it is empty. */
export const optionalText = v.pipe(
  v.string(),
  v.trim(),
  v.transform((value) => (value === '' ? undefined : value)),
)
const addressForm = 'must be a host and a port, such as 127.0.0.1:9464'
/** A host and a port, such as `127.0.0.1:9464` or `[::1]:9464`; undefined if empty. */
export const address = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5})?$/i, addressForm),
  v.transform((value) => {
    if (value === '') return undefined
    const colon = value.lastIndexOf(':')
    return { host: value.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(value.slice(colon + 1)) }
  }),
  v.check((given) => given === undefined || given.port <= 65_535, addressForm),
)
/** The address of a name server with its port, as `dns.setServers` takes it; undefined if empty. */
export const nameServer = v.pipe(
  address,
  v.check(
    (given) => given === undefined || (isIP(given.host) !== 0 && given.port > 0),
    'must be the address of a name server and a port, such as 10.0.0.2:53 or [::1]:53',
  ),
  v.transform((given) => given && `${isIP(given.host) === 6 ? `[${given.host}]` : given.host}:${given.port}`),
)
const domainForm = /^(?=.{1,190}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A domain in lower case; undefined if empty. */
export const mailDomain = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.check((value) => value === '' || domainForm.test(value), 'must be a domain in ASCII, such as in.example.com'),
  v.transform((value) => (value === '' ? undefined : value)),
)
const list = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
)
export const proxies = v.pipe(
  list,
  v.everyItem(isSubnet, 'must be addresses, subnets such as 10.0.0.0/8, loopback or private, separated by commas'),
)
export const origins = v.pipe(
  list,
  v.everyItem(
    (value) => value === '*' || parseWebUrl(value)?.origin === value,
    'must be origins as browsers send them, such as https://app.example, separated by commas, or *',
  ),
)
/** A destination that the operator allows: an address or a name with a port, an address, or a subnet (`bits`). */
export interface AllowedDestination {
  host: string
  port?: number
  bits?: number
}
export const allowedDestinations = v.pipe(
  list,
  v.checkItems(
    (entry) => readDestination(entry) !== undefined,
    ({ input }) => `must be host:port, addresses and subnets such as 10.0.0.0/8, separated by commas, not "${input}"`,
  ),
  v.transform((entries): readonly AllowedDestination[] => entries.map((entry) => readDestination(entry)!)),
)
const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** A duration such as `90s`, `15m`, `24h` or `7d`, in milliseconds. */
export const duration = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a number with a unit: 90s, 15m, 24h or 7d'),
  v.transform((value) => Number(value.slice(0, -1)) * unitMs[value.at(-1)!]!),
)
/** A time limit. Timers of Node end at once beyond 24.8 days. */
export const timeLimit = v.pipe(duration, v.maxValue(24 * unitMs.d!, 'must be at most 24d'))
/** A time limit, or 0. */
export const timeLimitOrNone = v.union(
  [
    v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^0[smhd]?$/),
      v.transform(() => 0),
    ),
    timeLimit,
  ],
  'must be 0 or a number with a unit, at most 24d: 90s, 15m, 24h or 7d',
)
const retentionMessage = 'must be forever, or at least 7d: 7d, 168h or 365d'
/** A duration of at least seven days; undefined for `forever`. */
export const retention = v.union(
  [
    v.pipe(
      v.string(),
      v.trim(),
      v.literal('forever'),
      v.transform(() => undefined),
    ),
    v.pipe(duration, v.minValue(7 * unitMs.d!, retentionMessage)),
  ],
  retentionMessage,
)
/** A limit of concurrent connections, requests and the like. */
export const count = integer(1, 1_000_000, 'must be a number from 1 to 1000000')
export const bytes = integer(1024, 1024 * MiB, 'must be a number of bytes from 1024 to 1 GiB')
export const headBytes = integer(1024, MiB, 'must be a number of bytes from 1024 to 1 MiB')

function readDestination(entry: string): AllowedDestination | undefined {
  if (isIP(entry) !== 0) return entry.includes('%') ? undefined : { host: entry }
  const [address = '', bits] = entry.split('/')
  if (bits !== undefined) {
    return isIP(address) !== 0 && isSubnet(entry) ? { host: address, bits: Number(bits) } : undefined
  }
  const port = Number(/^(?:\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(entry)?.[1])
  if (!(port > 0) || !URL.canParse(`http://${entry}`)) return undefined
  return { host: new URL(`http://${entry}`).hostname.replace(/^\[|\]$/g, ''), port }
}

function isSubnet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (bits === undefined) return version !== 0 || text === 'loopback' || text === 'private'
  return version !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

/** The name of a cell; undefined if empty. */
export const cell = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:[A-Za-z0-9]{2})?$/, 'must be two letters or digits'),
  v.transform((value) => (value === '' ? undefined : value)),
)
const logExpected = 'must be like etcd://10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379/kontor'
const member = String.raw`(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?`
const logForm = new RegExp(`^etcd://(${member}(?:,${member})*)(?:/[\\w./-]*)?$`, 'i')
/** The address of a log in etcd: members, and the start of its keys. */
export const logUrl = v.pipe(
  v.string(),
  v.trim(),
  v.check((value) => value === '' || isLog(value), logExpected),
  v.transform((value) => (value === '' ? undefined : value)),
)

function isLog(text: string): boolean {
  const members = logForm.exec(text)?.[1]?.split(',')
  return members?.every((each) => URL.canParse(`http://${each}`)) ?? false
}

/** The address of a server; undefined if empty. */
export const optionalUrl = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (value) => value === '' || parseServerUrl(value) !== undefined,
    'must be an http or https URL such as http://10.0.0.11:8080',
  ),
  v.transform((value) => (value === '' ? undefined : value)),
)
/** A duration of whole seconds, in seconds. */
export const leaseSeconds = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^\d{1,3}s$/, 'must be whole seconds from 2s to 999s'),
  v.transform((value) => Number(value.slice(0, -1))),
  v.minValue(2, 'must be whole seconds from 2s to 999s'),
)
