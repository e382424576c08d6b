import { type Change, resource } from '../engine/define.ts'
import { byService, metadata, reference, required } from '../engine/fields.ts'
import { choice, text } from '../engine/text-kinds.ts'
import { timestamp } from '../engine/value-kinds.ts'
import { contact } from './contact.ts'
import { markCreatedVia } from './created-via.ts'
import { deal } from './deal.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const descriptionMax = 100_000

/** spec: Task */
export const task = resource('task', {
  path: 'api-v1-tasks',
  scope: 'tasks',
  fields: {
    title: required(text(), 'Title is required'),
    description: text({ max: descriptionMax }),
    status: choice(['pending', 'in_progress', 'completed', 'cancelled'], { default: 'pending' }),
    priority: choice(['low', 'medium', 'high', 'urgent'], { default: 'medium' }),
    due_date: timestamp(),
    organization_id: reference(organization),
    contact_id: reference(contact),
    deal_id: reference(deal),
    assigned_to: reference(user),
    completed_at: byService(timestamp()),
    metadata: metadata(),
  },
  filters: [
    ...['title', 'status', 'priority', 'due_date', 'organization_id', 'contact_id', 'deal_id', 'assigned_to'],
    ...['completed_at', 'created_at', 'updated_at'],
  ],
  sorts: ['title', 'due_date', 'created_at', 'updated_at', 'priority', 'status'],
  sortDirection: 'desc',
  defaultOperators: { title: 'like' },
  pageSize: { default: 100, max: 1000 },
  relations: {
    organization: { target: organization, by: 'organization_id', fields: ['id', 'name', 'status'] },
    contact: { target: contact, by: 'contact_id', fields: ['id', 'first_name', 'last_name'] },
    deal: { target: deal, by: 'deal_id', fields: ['id', 'title'] },
    assigned_user: { target: user, by: 'assigned_to', fields: ['id', 'full_name', 'email'] },
  },
  actions: [{ path: 'complete', takesBody: false, patch: () => ({ status: 'completed' }) }],
  beforeWrite: keepCompletion,
})

/** spec: Task status. Naming `completed` sets the time anew, any other status clears it (decisions B12, B13). */
function keepCompletion({ tx, before, given, after }: Change): void {
  if (!before) markCreatedVia(after, 'api')
  if (given.status !== undefined) after.completed_at = given.status === 'completed' ? tx.now : null
}
