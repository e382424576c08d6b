import { activity } from '../../crm/activity.ts'
import { contact } from '../../crm/contact.ts'
import { deal } from '../../crm/deal.ts'
import { organization } from '../../crm/organization.ts'
import { task } from '../../crm/task.ts'
import { pluralOf } from '../../engine/records/define.ts'
import type { Resource, Scopes } from '../../engine/records/definition/resource.ts'

/** The resources that can be imported, by the type of the job (decision D6). */
export const imported: Readonly<Record<string, Resource>> = {
  import_contacts: contact,
  import_organizations: organization,
  import_deals: deal,
  import_tasks: task,
  import_activities: activity,
}

/** The resources that can be imported, by the last part of their path: `contacts`. */
export const importedByPath: Readonly<Record<string, Resource>> = Object.fromEntries(
  Object.values(imported).map((each) => [pluralOf(each), each]),
)

/** The type of a job that undoes changes (decision G12). */
export const undoType = 'undo'

export const jobTypes: readonly string[] = [...Object.keys(imported), undoType]

/** The scopes of which a key needs one to see jobs of a type, and the one to cancel them (decisions A6, G12). */
export function jobScopes(type: string): Scopes {
  return imported[type]?.scopes ?? { read: 'read:all', write: 'write:all' }
}
