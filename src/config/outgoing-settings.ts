import { allowedDestinations, nameServer } from '../lib/setting-kinds.ts'
import { setting } from './setting.ts'

/** What the server asks and calls. */
export const outgoingDefinitions = {
  webhookAllow: setting(
    '--webhook-allow <list>',
    'KONTOR_WEBHOOK_ALLOW',
    '',
    'destinations of webhooks that are allowed although they are private or use http: host:port, addresses and subnets, separated by commas',
    allowedDestinations,
  ),
  dns: setting(
    '--dns <host:port>',
    'KONTOR_DNS',
    '',
    'name server for webhooks and for what proves the sender of a mail, such as 10.0.0.2:53; none: those of the machine',
    nameServer,
  ),
} as const
