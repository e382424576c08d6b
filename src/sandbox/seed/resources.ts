import { message } from '../../crm/message.ts'
import { pipeline } from '../../crm/pipeline.ts'
import { records } from '../../crm/records.ts'
import { stage } from '../../crm/stage.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { field } from '../../features/declared-fields/field.ts'
import { view } from '../../features/views/view.ts'
import { webhook } from '../../features/webhooks/webhook.ts'
import { pluralOf } from '../../lib/plural.ts'

/** The resources of a seed file, besides the users, by their names there. Each refers only to those before it. Only a delivery creates messages. */
export const seeded: Readonly<Record<string, Resource>> = Object.fromEntries(
  [...new Set([field, pipeline, stage, ...records, view, webhook])]
    .filter((each) => each !== message)
    .map((each) => [pluralOf(each).replaceAll('-', '_'), each]),
)
