import * as v from 'valibot'
import { backupDefinitions } from './config/backup-settings.ts'
import { contentDefinitions } from './config/content-settings.ts'
import { limitDefinitions } from './config/limits.ts'
import { logDefinitions } from './config/log-settings.ts'
import { mailDefinitions } from './config/mail-settings.ts'
import { outgoingDefinitions } from './config/outgoing-settings.ts'
import { type Setting, setting } from './config/setting.ts'
import { unknownVariables } from './config/variables.ts'
import { publicUrl } from './lib/public-url.ts'
import {
  address,
  cell,
  duration,
  integer,
  optionalText,
  origins,
  proxies,
  retention,
  text,
} from './lib/setting-kinds.ts'

/** All settings (decisions F2, F6). A flag takes precedence over the environment, the environment over the default. */
export const settings = {
  data: setting('--data <dir>', 'KONTOR_DATA', './data', 'data directory', text),
  host: setting('--host <host>', 'KONTOR_HOST', '127.0.0.1', 'address to listen on', text),
  port: setting(
    '--port <n>',
    'KONTOR_PORT',
    '8080',
    'port to listen on; 0 picks a free one',
    integer(0, 65_535, 'must be a port from 0 to 65535'),
  ),
  publicUrl: setting(
    '--public-url <url>',
    'KONTOR_PUBLIC_URL',
    '',
    'address under which clients reach the server, for links; it may have a path, such as https://example.com/crm',
    publicUrl,
  ),
  rateLimits: setting(
    '--rate-limits <mode>',
    'KONTOR_RATE_LIMITS',
    'plan',
    "plan: enforce the limits of the company's plan; off: count requests, but reject none",
    v.picklist(['plan', 'off'], 'must be plan or off'),
  ),
  tlsCert: setting(
    '--tls-cert <file>',
    'KONTOR_TLS_CERT',
    '',
    'certificate chain in PEM: serve HTTPS instead of HTTP; reloaded when it changes',
    optionalText,
  ),
  tlsKey: setting('--tls-key <file>', 'KONTOR_TLS_KEY', '', 'private key of the certificate in PEM', optionalText),
  trustedProxies: setting(
    '--trust-proxy <list>',
    'KONTOR_TRUST_PROXY',
    '',
    'proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses and subnets, or loopback or private for the proxy that connects; separated by commas',
    proxies,
  ),
  corsOrigins: setting(
    '--cors-origins <list>',
    'KONTOR_CORS_ORIGINS',
    '',
    'origins whose pages may call the API from a browser, separated by commas, or *',
    origins,
  ),
  mcpOrigins: setting(
    '--mcp-origins <list>',
    'KONTOR_MCP_ORIGINS',
    '',
    'origins whose pages may use /mcp from a browser, separated by commas, or *',
    origins,
  ),
  ...outgoingDefinitions,
  compression: setting(
    '--compression <mode>',
    'KONTOR_COMPRESSION',
    'on',
    'on: compress pages and JSON responses from 2 KiB with gzip for clients that accept it; off: compress nothing',
    v.picklist(['on', 'off'], 'must be on or off'),
  ),
  requestLog: setting(
    '--request-log <mode>',
    'KONTOR_REQUEST_LOG',
    'on',
    'on: log one line per request on standard output; off: log only events of the server',
    v.picklist(['on', 'off'], 'must be on or off'),
  ),
  slowMs: setting(
    '--slow <time>',
    'KONTOR_SLOW',
    '1s',
    'log requests and SQL statements that take this long or longer as warnings, statements with their query plan',
    duration,
  ),
  metrics: setting(
    '--metrics <host:port>',
    'KONTOR_METRICS',
    '',
    'address that serves /metrics for Prometheus without authentication: keep it private',
    address,
  ),
  ...backupDefinitions,
  changesKeepMs: setting(
    '--changes-keep <time>',
    'KONTOR_CHANGES_KEEP',
    'forever',
    'how long changes of records are kept, at least 7d; older ones leave the feed, the history and the undo, not the records',
    retention,
  ),
  company: setting(
    '--company <name>',
    'KONTOR_COMPANY',
    '',
    'name of the company that an empty data directory gets, for installations that nobody attends',
    optionalText,
  ),
  ownerEmail: setting(
    '--owner-email <address>',
    'KONTOR_OWNER_EMAIL',
    '',
    "email address of that company's owner",
    optionalText,
  ),
  ownerPasswordFile: setting(
    '--owner-password-file <file>',
    'KONTOR_OWNER_PASSWORD_FILE',
    '',
    'file with the password of the owner',
    optionalText,
  ),
  cell: setting(
    '--cell <name>',
    'KONTOR_CELL',
    '',
    'two letters or digits with which new keys begin after svc_live_ and svc_test_, so that a proxy can route by them; stays until another one is given',
    cell,
  ),
  ...contentDefinitions,
  ...mailDefinitions,
  ...logDefinitions,
  ...limitDefinitions,
} as const

export const limitSettings = Object.keys(limitDefinitions) as (keyof typeof limitDefinitions)[]
/** The settings of the listener, its public address, the trusted proxies, the responses, what the server calls, and mail. */
export const networkSettings = [
  'host',
  'port',
  'publicUrl',
  'tlsCert',
  'tlsKey',
  'trustedProxies',
  'corsOrigins',
  'mcpOrigins',
  'webhookAllow',
  'dns',
  'mailDomain',
  'compression',
] as const satisfies readonly SettingName[]
export type Network = Pick<Config, (typeof networkSettings)[number]>
export type Limits = Pick<Config, (typeof limitSettings)[number]>

type Values<T> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never }
export type SettingName = keyof typeof settings
export type Config = Values<typeof settings>

export const allSettings = Object.keys(settings) as SettingName[]

/** Options of a command, by the names that Commander gives them. */
export type Given = Readonly<Record<string, string | undefined>>

/** A command's own defaults of settings. */
export type Defaults = Partial<Record<SettingName, string>>

/**
 * Reads the named settings. Throws ConfigError for the first invalid one.
 *
 *     const { port } = readConfig(['port'], { port: '9090' }, process.env)
 */
export function readConfig<N extends SettingName>(
  names: readonly N[],
  flags: Given,
  env: NodeJS.ProcessEnv,
  defaults: Defaults = {},
): Pick<Config, N> {
  const entries = names.map((name) => {
    const { source, given } = givenFor(name, flags, env)
    const result = v.safeParse(settings[name].schema, given ?? defaults[name] ?? settings[name].default)
    if (!result.success) throw new ConfigError(faultOf(source, given, result.issues[0]))
    return [name, result.output]
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** A sentence for each variable that looks like a setting and is none. */
export function unknownIn(env: NodeJS.ProcessEnv): string[] {
  const known = allSettings.map((name) => settings[name].env)
  return unknownVariables(env, known).map(
    ({ name, near }) => `${name} is no setting and has no effect${near ? `; did you mean ${near}?` : ''}`,
  )
}

/** What a setting is given, and by which flag or variable. An empty variable is none; an empty flag is a value, and for most settings a wrong one. */
export function givenFor(
  name: SettingName,
  flags: Given,
  env: NodeJS.ProcessEnv,
): { source: string; given: string | undefined } {
  const { option, env: variable } = settings[name]
  const fromFlag = flags[optionKey(option)]
  return fromFlag !== undefined
    ? { source: option, given: fromFlag }
    : { source: variable, given: env[variable] || undefined }
}

/** A sentence about an invalid value. */
export function faultOf(source: string, given: string | undefined, { message }: { message: string }): string {
  return `${source} ${message}; it is "${withoutPassword(String(given))}"`
}

/** A text without the passwords of URLs. A password may contain `/` or `@`, at which a parser of URLs would end it. */
export function withoutPassword(text: string): string {
  return text.replace(/\/\/([^/:]*):.*@/s, '//$1:…@')
}

/** The name under which Commander stores an option: `--body-bytes-max` as `bodyBytesMax`. */
function optionKey(option: string): string {
  return option.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** An invalid setting or option: wrong usage. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
