import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'
import type { GatewayOptions } from './gateway.ts'
import { Log } from './log.ts'
import { parseLogUrl } from './log-url.ts'
import type { LogSettings } from './state.ts'

/** Opens the log of these settings. Throws OperatorError for a file that cannot be read. */
export function openLogOf(settings: LogSettings): Log {
  const { endpoints, prefix } = parseLogUrl(settings.log)
  const { logCa, logCert, logKey, logUser, logPasswordFile } = settings
  const hasTls = [logCa, logCert, logKey].some((file) => file !== undefined)
  const options: GatewayOptions = {
    endpoints,
    ...(hasTls && { tls: { ca: contentOf(logCa), cert: contentOf(logCert), key: contentOf(logKey) } }),
    ...(logUser !== undefined && { user: logUser, password: contentOf(logPasswordFile)?.trim() }),
  }
  return new Log(options, prefix)
}

function contentOf(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(`Cannot read ${path}: ${(error as Error).message}.`)
  }
}
