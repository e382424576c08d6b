import { type Change, resource } from '../engine/define.ts'
import { chosen, metadata, reference, required } from '../engine/fields.ts'
import { pattern, text } from '../engine/text-kinds.ts'
import { date, number } from '../engine/value-kinds.ts'
import { ApiError, validationError } from '../errors.ts'
import { contact } from './contact.ts'
import { organization } from './organization.ts'
import { stage } from './stage.ts'
import { user } from './user.ts'

/** spec: Deal */
export const deal = resource('deal', {
  path: 'api-v1-deals',
  scope: 'deals',
  fields: {
    title: required(text(), 'Title is required'),
    value: number({ default: 0 }),
    currency: pattern(/^[a-z]{3}$/i, 'a currency code of three letters', {
      default: 'EUR',
      store: (code) => code.toUpperCase(),
    }),
    stage_id: chosen(reference(stage, { missing: 'Invalid stage' })),
    organization_id: reference(organization),
    contact_id: reference(contact),
    assigned_to: reference(user),
    expected_close_date: date(),
    probability: number({ min: 0, max: 100 }),
    metadata: metadata(),
  },
  filters: [
    ...['title', 'value', 'currency', 'stage_id', 'organization_id', 'contact_id', 'assigned_to'],
    ...['expected_close_date', 'probability', 'created_at', 'updated_at'],
  ],
  sorts: ['title', 'value', 'currency', 'probability', 'expected_close_date', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  relations: {
    organization: { target: organization, by: 'organization_id', fields: ['id', 'name', 'status'] },
    contact: { target: contact, by: 'contact_id', fields: ['id', 'first_name', 'last_name'] },
    stage: { target: stage, by: 'stage_id', fields: ['id', 'name', 'color', 'position'] },
    assigned_user: { target: user, by: 'assigned_to', fields: ['id', 'full_name', 'email'] },
  },
  limit: 'max_deals',
  actions: [{ path: 'stage', takesBody: true, patch: requireStage }],
  beforeWrite: chooseStage,
})

/** Without a stage a deal is in the first one (spec: Deal). */
function chooseStage({ tx, after }: Change): void {
  after.stage_id ??=
    tx.value<string>('SELECT id FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL ORDER BY position') ??
    null
  if (after.stage_id !== null) return
  const message = 'There is no stage: create one first'
  throw validationError([{ field: 'stage_id', message, code: 'REQUIRED' }])
}

/** `PATCH …/:id/stage` takes a stage and nothing else. */
function requireStage({ stage_id }: Record<string, unknown>): Record<string, unknown> {
  if (stage_id === undefined || stage_id === null) throw new ApiError('INVALID_REQUEST', 'stage_id is required')
  return { stage_id }
}
