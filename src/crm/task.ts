import { resource } from '../engine/records/define.ts'
import type { Change } from '../engine/records/definition/change.ts'
import { byService, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, text } from '../engine/records/kinds/text-kinds.ts'
import { timestamp } from '../engine/records/kinds/value-kinds.ts'
import { descriptionMax } from '../lib/text.ts'
import { contact } from './contact.ts'
import { markCreatedVia } from './created-via.ts'
import { deal } from './deal.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

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
    'title',
    'status',
    'priority',
    'due_date',
    'organization_id',
    'contact_id',
    'deal_id',
    'assigned_to',
    'completed_at',
    'created_at',
    'updated_at',
  ],
  sorts: ['title', 'due_date', 'created_at', 'updated_at', 'priority', 'status'],
  sortDirection: 'desc',
  tallied: ['status', 'priority'],
  nestsFilters: true,
  defaultOperators: { title: 'like' },
  pageSize: { default: 100, max: 1000 },
  relations: {
    organization: { target: organization, by: 'organization_id' },
    contact: { target: contact, by: 'contact_id' },
    deal: { target: deal, by: 'deal_id' },
    assigned_user: { target: user, by: 'assigned_to' },
  },
  actions: [
    {
      path: 'complete',
      patch: () => ({ status: 'completed' }),
      id: 'completeTask',
      summary: 'Complete a task',
      shows: { status: 'completed', completed_at: '2026-11-23T09:45:00.000Z' },
    },
  ],
  search: { fields: ['title', 'description'], subtitle: ['contact', 'organization'] },
  beforeWrite: keepCompletion,
  goesWith: { completed_at: 'status' },
  events: { completed: ({ before, after }) => before?.status !== after.status && after.status === 'completed' },
  about: {
    summary: 'A follow-up action.',
    fields: {
      assigned_to: 'The id of an active user.',
      completed_at: 'Set when the status becomes `completed`, cleared when it becomes another status.',
      metadata: 'Contains `created_via`: `api` in a new task.',
    },
    example: {
      title: 'Send the offer',
      description: 'With prices for 200 hampers.',
      status: 'in_progress',
      priority: 'high',
      due_date: '2026-11-27T16:00:00.000Z',
      metadata: { channel: 'email' },
    },
    shown: { metadata: { channel: 'email', created_via: 'api' } },
    patch: { priority: 'urgent' },
  },
})

/** spec: Task status. Setting the status to `completed` always sets the time, any other status clears it (decisions B12, B13). */
function keepCompletion(change: Change): void {
  const { tx, before, given, after } = change
  if (!before) markCreatedVia(change)
  if (given.status !== undefined) after.completed_at = given.status === 'completed' ? tx.now : null
}
