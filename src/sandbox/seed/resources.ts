import { activity } from '../../crm/activity.ts'
import { contact } from '../../crm/contact.ts'
import { deal } from '../../crm/deal.ts'
import { field } from '../../crm/field.ts'
import { organization } from '../../crm/organization.ts'
import { stage } from '../../crm/stage.ts'
import { task } from '../../crm/task.ts'
import { view } from '../../crm/view.ts'
import { webhook } from '../../crm/webhook.ts'
import type { Resource } from '../../engine/definition/resource.ts'

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
