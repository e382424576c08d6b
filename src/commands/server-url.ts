import { ConfigError } from '../config.ts'
import { parseServerUrl } from '../lib/web-url.ts'

const portMax = 65_535

/** The value of `--url`, without a slash at the end. Throws ConfigError. */
export function readServerUrl(given: string): string {
  const text = given.trim()
  const [, port] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > portMax)) {
    throw new ConfigError(`--url has the port ${port}: ports are 1 to ${portMax}`)
  }
  if (parseServerUrl(text)) return text.replace(/\/+$/, '')
  throw new ConfigError(`--url must be an http or https URL of a server; it is "${given}"`)
}
