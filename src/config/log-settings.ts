import { leaseSeconds, logUrl, optionalText, optionalUrl } from '../lib/setting-kinds.ts'
import { setting } from './setting.ts'

/** Settings of the log that servers share (docs/cluster.md). */
export const logDefinitions = {
  log: setting(
    '--log <url>',
    'KONTOR_LOG',
    '',
    'log in etcd that servers on several machines share: etcd://10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379/kontor',
    logUrl,
  ),
  advertise: setting(
    '--advertise <url>',
    'KONTOR_ADVERTISE',
    '',
    'address at which the other servers of the log, and clients, reach this one, such as http://10.0.0.11:8080',
    optionalUrl,
  ),
  logCa: setting('--log-ca <file>', 'KONTOR_LOG_CA', '', 'certificate authority of etcd in PEM', optionalText),
  logCert: setting('--log-cert <file>', 'KONTOR_LOG_CERT', '', 'client certificate for etcd in PEM', optionalText),
  logKey: setting(
    '--log-key <file>',
    'KONTOR_LOG_KEY',
    '',
    'private key of the client certificate in PEM',
    optionalText,
  ),
  logUser: setting('--log-user <name>', 'KONTOR_LOG_USER', '', 'user of etcd', optionalText),
  logPasswordFile: setting(
    '--log-password-file <file>',
    'KONTOR_LOG_PASSWORD_FILE',
    '',
    'file with the password of the user of etcd',
    optionalText,
  ),
  logLeaseSeconds: setting(
    '--log-lease <time>',
    'KONTOR_LOG_LEASE',
    '5s',
    'time after which another server takes the lead from one that does not respond: whole seconds, at least 2s',
    leaseSeconds,
  ),
} as const

export const logSettings = Object.keys(logDefinitions) as (keyof typeof logDefinitions)[]
