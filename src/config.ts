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
  bodyBytesMax: setting('--body-bytes-max <n>', 'KONTOR_BODY_BYTES_MAX', String(MiB), 'largest request body', bytes),
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
    const [source, given] = flags[name] !== undefined ? [flag.split(' ')[0]!, flags[name]] : [variable, env[variable]]
    const result = v.safeParse(schema, given || fallback)
    if (!result.success) throw new ConfigError(`${source} ${result.issues[0].message}; it is "${given}"`)
    return [name, result.output]
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** A setting that makes no sense: wrong usage. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
