import { resource } from '../engine/records/define.ts'
import type { Change, Row } from '../engine/records/definition/change.ts'
import { byService, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, text } from '../engine/records/kinds/text-kinds.ts'
import { timestamp } from '../engine/records/kinds/value-kinds.ts'
import { timestamp as timestampOf } from '../lib/clock.ts'
import { parseSpan } from '../lib/moment.ts'
import { descriptionMax } from '../lib/text.ts'
import { apiKey } from './api-key.ts'
import { contact } from './contact.ts'
import { markCreatedVia } from './created-via.ts'
import { deal } from './deal.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const types = ['call', 'email', 'meeting', 'note', 'rating']

/** spec: Activity. Never changed or deleted. */
export const activity = resource('activity', {
  path: 'api-v1-activities',
  scope: 'activities',
  operations: ['list', 'create', 'get'],
  fields: {
    type: required(choice(types), `Type must be one of: ${types.join(', ')}`),
    subject: text(),
    description: text({ max: descriptionMax }),
    organization_id: reference(organization),
    contact_id: reference(contact),
    deal_id: reference(deal),
    user_id: byService(reference(user)),
    metadata: metadata(),
  },
  offers: { agents: 'read' }, // they only grow: `log_activity`
  filters: [
    'type',
    'subject',
    'organization_id',
    'contact_id',
    'deal_id',
    'user_id',
    'occurred_at',
    'created_at',
    'updated_at',
  ],
  sorts: ['type', 'subject', 'occurred_at', 'created_at', 'updated_at'],
  sortDirection: 'desc',
  tallied: ['type'],
  nestsFilters: true,
  pageSize: { default: 100, max: 1000 },
  relations: {
    organization: { target: organization, by: 'organization_id', fields: ['id', 'name'] },
    contact: { target: contact, by: 'contact_id' },
    deal: { target: deal, by: 'deal_id' },
    user: { target: user, by: 'user_id' },
  },
  unshown: { api_key_id: reference(apiKey), occurred_at: timestamp() },
  search: {
    fields: ['subject', 'description'],
    names: ['subject'],
    subtitle: ['type', 'contact', 'organization'],
  },
  beforeWrite: complete,
  about: {
    summary: 'A log entry. Activities cannot be changed or deleted.',
    fields: {
      user_id: 'The user who created it in the console. Null if it was created through the API.',
      metadata: 'Contains `created_via`: `api`. `occurred_at` may say when it happened.',
      occurred_at:
        'When it happened: `metadata.occurred_at` if that is before it was written, otherwise `created_at`. Records do not show it.',
    },
    example: { type: 'call', subject: 'Asked for an offer', description: 'Wants 200 hampers before Christmas.' },
    shown: { metadata: { created_via: 'api' } },
  },
})

function complete(change: Change): void {
  if (change.before) return // only an undo of a merge changes one
  markAuthor(change)
  change.after.occurred_at = occurredAt(change.after)
}

/** `occurred_at` of its metadata, if that is a time before it was written (decision T5); otherwise when it was written. */
function occurredAt({ metadata, created_at }: Row): string {
  const { occurred_at } = JSON.parse(String(metadata)) as { occurred_at?: unknown }
  const { start } = (typeof occurred_at === 'string' && parseSpan(occurred_at.trim())) || { start: Number.NaN }
  return start <= Date.parse(String(created_at)) ? timestampOf(start) : String(created_at)
}

/** Stores the user or the API key that creates the activity (decision A10). */
function markAuthor(change: Change): void {
  const { type, id } = change.tx.origin.actor
  change.after.user_id = type === 'user' ? id : null
  change.after.api_key_id = type === 'api_key' ? id : null
  markCreatedVia(change)
}
