import * as v from 'valibot'

const MiB = 2 ** 20

const integer = (min: number, max: number, message: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.digits(message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )

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

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
/** Empty: there is none. */
const optionalText = v.pipe(
  v.string(),
  v.trim(),
  v.transform((value) => (value === '' ? undefined : value)),
)
const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** `90s`, `15m`, `24h`, `7d` in milliseconds. */
const duration = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a number with a unit: 90s, 15m, 24h or 7d'),
  v.transform((value) => Number(value.slice(0, -1)) * unitMs[value.at(-1)!]!),
)
const bytes = integer(1024, 1024 * MiB, 'must be a number of bytes from 1024 to 1 GiB')

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
  backupDir: setting('--backup-dir <dir>', 'KONTOR_BACKUP_DIR', '', 'directory for scheduled backups', optionalText),
  backupEveryMs: setting('--backup-every <time>', 'KONTOR_BACKUP_EVERY', '24h', 'time between two of them', duration),
  backupKeep: setting(
    '--backup-keep <n>',
    'KONTOR_BACKUP_KEEP',
    '7',
    'how many of them are kept',
    integer(1, 10_000, 'must be a number from 1 to 10000'),
  ),
  bodyBytesMax: setting('--body-bytes-max <n>', 'KONTOR_BODY_BYTES_MAX', String(MiB), 'largest request body', bytes),
  bulkBodyBytesMax: setting(
    '--bulk-body-bytes-max <n>',
    'KONTOR_BULK_BODY_BYTES_MAX',
    String(16 * MiB),
    'largest body of a bulk submit',
    bytes,
  ),
} as const

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
