import { exchangeRate } from '../../crm/exchange-rate.ts'
import { ignoredSender } from '../../crm/ignored-sender.ts'
import { message } from '../../crm/message.ts'
import { pipeline } from '../../crm/pipeline.ts'
import { records } from '../../crm/records.ts'
import { stage } from '../../crm/stage.ts'
import type { Field, Resource } from '../../engine/records/definition/resource.ts'
import { field } from '../../features/declared-fields/field.ts'
import { mailAddress } from '../../features/mail/mail-address.ts'
import { view } from '../../features/views/view.ts'
import { webhook } from '../../features/webhooks/webhook.ts'
import { pluralOf } from '../../lib/plural.ts'

/** The resources of a seed file, besides the users, by their names there. Each refers only to those before it. Only a delivery creates messages. */
export const seeded: Readonly<Record<string, Resource>> = Object.fromEntries(
  [...new Set([field, pipeline, stage, ...records, view, webhook, exchangeRate, mailAddress, ignoredSender])]
    .filter((each) => each !== message)
    .map((each) => [pluralOf(each).replaceAll('-', '_'), each]),
)

/** The times that records do not show, and that the service sets when they are changed: when a deal was closed. */
export function hiddenTimes({ unshown }: Resource): Field[] {
  return Object.values(unshown).filter(({ kind, unlogged }) => kind === 'timestamp' && !unlogged)
}
