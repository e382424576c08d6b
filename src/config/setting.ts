import type * as v from 'valibot'

/**
 * A setting: its flag, environment variable, default and description. The schema parses its text.
 *
 *     setting('--data <dir>', 'KONTOR_DATA', './data', 'data directory', text)
 */
export interface Setting<T> {
  /** Empty: it has only a variable. */
  flag: string
  /** The flag without its value: `--data`. */
  option: string
  env: string
  default: string
  about: string
  schema: v.GenericSchema<unknown, T>
  /** Whether nothing may show its value. */
  isSecret?: boolean
}

export function setting<T>(
  flag: string,
  env: string,
  fallback: string,
  about: string,
  schema: v.GenericSchema<unknown, T>,
): Setting<T> {
  return { flag, option: flag.split(' ')[0]!, env, default: fallback, about, schema }
}

/** A setting that belongs into no command line. */
export function variable<T>(
  env: string,
  fallback: string,
  about: string,
  schema: v.GenericSchema<unknown, T>,
): Setting<T> {
  return setting('', env, fallback, about, schema)
}
