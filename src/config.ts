import * as v from 'valibot'
import {
  address,
  bytes,
  duration,
  durationOrNone,
  headBytes,
  integer,
  MiB,
  optionalText,
  origins,
  proxies,
  text,
} from './lib/setting-kinds.ts'

/** One setting: its flag, environment variable, default and what it is for. The schema reads its text. */
interface Setting<T> {
  flag: string
  env: string
  default: string
  about: string
  schema: v.GenericSchema<unknown, T>
}

function setting<T>(
  flag: string,
  env: string,
  fallback: string,
  about: string,
  schema: v.GenericSchema<unknown, T>,
): Setting<T> {
  return { flag, env, default: fallback, about, schema }
}

/** Every setting there is (decision F2, F6); flags win over the environment, the environment over the default. */
export const settings = {
  data: setting('--data <dir>', 'KONTOR_DATA', './data', 'directory of the database', text),
  host: setting('--host <host>', 'KONTOR_HOST', '127.0.0.1', 'address to listen on', text),
  port: setting(
    '--port <n>',
    'KONTOR_PORT',
    '8080',
    'port to listen on; 0 picks a free one',
    integer(0, 65_535, 'must be a port from 0 to 65535'),
  ),
  rateLimits: setting(
    '--rate-limits <mode>',
    'KONTOR_RATE_LIMITS',
    'plan',
    "plan: as the company's plan says; off: count, but refuse nothing",
    v.picklist(['plan', 'off'], 'must be plan or off'),
  ),
  tlsCert: setting(
    '--tls-cert <file>',
    'KONTOR_TLS_CERT',
    '',
    'certificate chain in PEM: HTTPS instead of HTTP; read again when it changes',
    optionalText,
  ),
  tlsKey: setting('--tls-key <file>', 'KONTOR_TLS_KEY', '', 'its private key in PEM', optionalText),
  trustedProxies: setting(
    '--trust-proxy <list>',
    'KONTOR_TRUST_PROXY',
    '',
    'proxies whose X-Forwarded-For and -Proto are believed: addresses, subnets, loopback, private; separated by commas',
    proxies,
  ),
  corsOrigins: setting(
    '--cors-origins <list>',
    'KONTOR_CORS_ORIGINS',
    '',
    'origins whose pages may call the API from a browser, separated by commas, or *',
    origins,
  ),
  requestLog: setting(
    '--request-log <mode>',
    'KONTOR_REQUEST_LOG',
    'on',
    'on: one line a request on standard output; off: only what the server itself has to tell',
    v.picklist(['on', 'off'], 'must be on or off'),
  ),
  slowMs: setting(
    '--slow <time>',
    'KONTOR_SLOW',
    '1s',
    'requests and statements that take so long are logged as warnings, statements with their query plan',
    duration,
  ),
  metrics: setting(
    '--metrics <host:port>',
    'KONTOR_METRICS',
    '',
    'address that serves /metrics for Prometheus, without a key: keep it private',
    address,
  ),
  backupDir: setting('--backup-dir <dir>', 'KONTOR_BACKUP_DIR', '', 'directory for scheduled backups', optionalText),
  backupEveryMs: setting('--backup-every <time>', 'KONTOR_BACKUP_EVERY', '24h', 'time between two of them', duration),
  backupKeep: setting(
    '--backup-keep <n>',
    'KONTOR_BACKUP_KEEP',
    '7',
    'how many of them are kept',
    integer(1, 10_000, 'must be a number from 1 to 10000'),
  ),
  bodyBytesMax: setting(
    '--body-bytes-max <n>',
    'KONTOR_BODY_BYTES_MAX',
    String(MiB),
    'largest request body, in bytes, decompressed',
    bytes,
  ),
  bulkBodyBytesMax: setting(
    '--bulk-body-bytes-max <n>',
    'KONTOR_BULK_BODY_BYTES_MAX',
    String(16 * MiB),
    'the same of a bulk submit',
    bytes,
  ),
  jsonDepthMax: setting(
    '--json-depth-max <n>',
    'KONTOR_JSON_DEPTH_MAX',
    '100000',
    'how deep the JSON of a body may be nested',
    integer(8, 1_000_000, 'must be a number from 8 to 1000000'),
  ),
  urlBytesMax: setting(
    '--url-bytes-max <n>',
    'KONTOR_URL_BYTES_MAX',
    '15360',
    'longest path with query, in bytes',
    headBytes,
  ),
  headBytesMax: setting(
    '--head-bytes-max <n>',
    'KONTOR_HEAD_BYTES_MAX',
    '16384',
    'largest request line with its headers, in bytes',
    headBytes,
  ),
  headMs: setting(
    '--head-timeout <time>',
    'KONTOR_HEAD_TIMEOUT',
    '20s',
    'how long a client may take to send the request line and headers, from its connection on',
    duration,
  ),
  requestMs: setting(
    '--request-timeout <time>',
    'KONTOR_REQUEST_TIMEOUT',
    '2m',
    'how long a client may take to send a whole request',
    duration,
  ),
  stallMs: setting(
    '--stall-timeout <time>',
    'KONTOR_STALL_TIMEOUT',
    '1m',
    'how long an answer may wait for a client that takes nothing of it',
    duration,
  ),
  keepAliveMs: setting(
    '--keep-alive-timeout <time>',
    'KONTOR_KEEP_ALIVE_TIMEOUT',
    '75s',
    'how long a connection is kept for the next request; more than a proxy in front keeps it',
    duration,
  ),
  connectionsMax: setting(
    '--connections-max <n>',
    'KONTOR_CONNECTIONS_MAX',
    '2000',
    'connections at a time; further ones are closed at once',
    integer(1, 1_000_000, 'must be a number from 1 to 1000000'),
  ),
  drainDelayMs: setting(
    '--drain-delay <time>',
    'KONTOR_DRAIN_DELAY',
    '0',
    'how long a stopping server goes on accepting while /readyz answers 503, for a load balancer to notice',
    durationOrNone,
  ),
  drainMsMax: setting(
    '--drain-timeout <time>',
    'KONTOR_DRAIN_TIMEOUT',
    '10s',
    'how long a stopping server waits for requests that have begun',
    duration,
  ),
  answerCacheBytesMax: setting(
    '--answer-cache-bytes-max <n>',
    'KONTOR_ANSWER_CACHE_BYTES_MAX',
    String(8 * MiB),
    'memory for answers that are kept until something changes; 0: none are',
    integer(0, 1024 * MiB, 'must be a number of bytes up to 1 GiB'),
  ),
} as const

/** What a server keeps its clients to. */
export const limitSettings = [
  'answerCacheBytesMax',
  ...(['bodyBytesMax', 'bulkBodyBytesMax', 'jsonDepthMax', 'urlBytesMax', 'headBytesMax'] as const),
  ...(['headMs', 'requestMs', 'stallMs', 'keepAliveMs', 'connectionsMax', 'drainDelayMs', 'drainMsMax'] as const),
] as const satisfies readonly SettingName[]
/** Where it listens, and what it believes. */
export const networkSettings = [
  'host',
  'port',
  'tlsCert',
  'tlsKey',
  'trustedProxies',
  'corsOrigins',
] as const satisfies readonly SettingName[]
export type Network = Pick<Config, (typeof networkSettings)[number]>
export type Limits = Pick<Config, (typeof limitSettings)[number]>

type Values<T> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never }
export type SettingName = keyof typeof settings
export type Config = Values<typeof settings>

/** Reads the named settings. Throws ConfigError with the first setting that makes no sense. */
export function readConfig<N extends SettingName>(
  names: readonly N[],
  flags: Readonly<Record<string, string | undefined>>,
  env: NodeJS.ProcessEnv,
): Pick<Config, N> {
  const entries = names.map((name) => {
    const { flag, env: variable, default: fallback, schema } = settings[name] as Setting<unknown>
    const option = flag.split(' ')[0]!
    const fromFlag = flags[optionKey(option)]
    const [source, given] = fromFlag !== undefined ? [option, fromFlag] : [variable, env[variable]]
    const result = v.safeParse(schema, given || fallback)
    if (!result.success) throw new ConfigError(`${source} ${result.issues[0].message}; it is "${given}"`)
    return [name, result.output]
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** `--body-bytes-max` as `bodyBytesMax`. */
function optionKey(option: string): string {
  return option.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** A setting that makes no sense: wrong usage. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
