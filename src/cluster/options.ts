import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { type GatewayOptions, isOfEtcd } from './gateway.ts'
import { Log } from './log.ts'
import { parseLogUrl } from './log-url.ts'
import type { LogSettings } from './state.ts'

export type GivenSettings = Partial<LogSettings> & Pick<LogSettings, 'logLeaseSeconds'>

/** The settings of a log that are given. Commands read its files, too, whatever their working directory. */
export function givenSettings(config: Pick<Config, keyof LogSettings>): GivenSettings {
  const { log, advertise, logUser, logLeaseSeconds, logCa, logCert, logKey, logPasswordFile } = config
  const files = Object.entries({ logCa, logCert, logKey, logPasswordFile })
  const paths = Object.fromEntries(files.map(([name, path]) => [name, path && resolve(path)]))
  const others = Object.entries({ log, advertise, ...paths, logUser }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(others), logLeaseSeconds }
}

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

/** Uses the log of these settings for a command. Throws OperatorError, also if etcd fails. */
export async function withLog<T>(settings: LogSettings, run: (log: Log) => Promise<T>): Promise<T> {
  const log = openLogOf(settings)
  try {
    return await run(log)
  } catch (error) {
    if (!isOfEtcd(error)) throw error
    throw new OperatorError(`The log cannot be reached: ${(error as Error).message}.`, { cause: error })
  } finally {
    log.close()
  }
}

function contentOf(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(`Cannot read ${path}: ${(error as Error).message}.`)
  }
}
