import { resource } from '../engine/records/define.ts'
import type { Change } from '../engine/records/definition/change.ts'
import { byService, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, text } from '../engine/records/kinds/text-kinds.ts'
import { apiKey } from './api-key.ts'
import { contact } from './contact.ts'
import { markCreatedVia } from './created-via.ts'
import { deal } from './deal.ts'
import { organization } from './organization.ts'
import { user } from './user.ts'

const types = ['call', 'email', 'meeting', 'note', 'rating']
const descriptionMax = 100_000

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
  filters: ['type', 'subject', 'organization_id', 'contact_id', 'deal_id', 'user_id', 'created_at', 'updated_at'],
  sorts: ['type', 'subject', 'created_at', 'updated_at'],
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
  unshown: { api_key_id: reference(apiKey) },
  search: {
    fields: ['subject', 'description'],
    names: ['subject'],
    subtitle: ['type', 'contact', 'organization'],
  },
  beforeWrite: markAuthor,
  about: {
    summary: 'A log entry. Activities cannot be changed or deleted.',
    fields: {
      user_id: 'The user who created it in the console. Null if it was created through the API.',
      metadata: 'Contains `created_via`: `api`.',
    },
    example: { type: 'call', subject: 'Asked for an offer', description: 'Wants 200 hampers before Christmas.' },
    shown: { metadata: { created_via: 'api' } },
  },
})

/** Stores the user or the API key that creates the activity (decision A10). Only an undo of a merge changes one. */
function markAuthor(change: Change): void {
  if (change.before) return
  const { type, id } = change.tx.origin.actor
  change.after.user_id = type === 'user' ? id : null
  change.after.api_key_id = type === 'api_key' ? id : null
  markCreatedVia(change)
}
