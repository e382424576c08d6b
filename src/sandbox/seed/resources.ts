import { activity } from '../../crm/activity.ts'
import { contact } from '../../crm/contact.ts'
import { deal } from '../../crm/deal.ts'
import { organization } from '../../crm/organization.ts'
import { stage } from '../../crm/stage.ts'
import { task } from '../../crm/task.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { field } from '../../features/declared-fields/field.ts'
import { view } from '../../features/views/view.ts'
import { webhook } from '../../features/webhooks/webhook.ts'

/** The resources of a seed file, besides the users, by their names there. Each refers only to those before it. */
export const seeded: Readonly<Record<string, Resource>> = {
  fields: field,
  stages: stage,
  organizations: organization,
  contacts: contact,
  deals: deal,
  tasks: task,
  activities: activity,
  views: view,
  webhooks: webhook,
}
