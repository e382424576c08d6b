import { ConfigError } from '../config.ts'
import { parseServerUrl } from '../lib/web-url.ts'

/** The value of `--url`, without a slash at the end. Throws ConfigError. */
export function readServerUrl(given: string): string {
  const text = given.trim()
  if (parseServerUrl(text)) return text.replace(/\/+$/, '')
  throw new ConfigError(`--url must be an http or https URL of a server; it is "${given}"`)
}
