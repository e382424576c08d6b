/** A resource with what the product's own ones lack, as a file of src/crm: subscription-cases.ts tests it. */
export const definition = `
import { collection, resource } from '../engine/records/define.ts'
import type { Change } from '../engine/records/definition/change.ts'
import { decimal } from '../engine/records/kinds/decimal-kind.ts'
import { derived, metadata, reference, required } from '../engine/records/kinds/fields.ts'
import { choice, text } from '../engine/records/kinds/text-kinds.ts'
import { date, number } from '../engine/records/kinds/value-kinds.ts'
import { type Detail, validationError } from '../errors.ts'
import { organization } from './organization.ts'

/** What an organization has subscribed to, for some seats. */
export const subscription = resource('subscription', {
  path: 'api-v1-subscriptions',
  scope: 'deals',
  fields: {
    name: required(text(), 'Name is required'),
    organization_id: required(reference(organization), 'Organization is required'),
    contract_number: text(),
    starts_on: date(),
    ends_on: date(),
    charges_total: derived(decimal({ max: 1e9, default: 0 })),
    metadata: metadata(),
  },
  filters: ['name', 'organization_id', 'contract_number', 'starts_on', 'ends_on', 'charges_total', 'created_at', 'updated_at'],
  sorts: ['name', 'starts_on', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  unique: 'contract_number',
  relations: { organization: { target: organization, by: 'organization_id', named: true } },
  collections: {
    seats: collection({
      table: 'subscription_seat',
      owner: 'subscription_id',
      as: 'subscription_seats',
      item: 'seat',
      fields: {
        person: required(text(), 'Person is required'),
        label: text({ default: 'standard' }),
        level: choice(['reader', 'writer'], { default: 'reader' }),
        share: number({ min: 0 }),
        since: date(),
      },
      filters: ['person'],
      about: {
        first: { person: 'Ada', label: 'admin', level: 'writer', share: 2.5, since: '2026-01-31' },
        second: { person: 'Grace', label: 'standard', level: 'reader', share: null, since: null },
        patch: { since: null },
      },
    }),
  },
  check: ({ starts_on, ends_on }) => faults(starts_on, ends_on),
  beforeWrite: keepOrder,
  about: {
    summary: 'What an organization has subscribed to.',
    example: { name: 'Hampers', starts_on: '2026-01-01', ends_on: '2026-12-31' },
    patch: { ends_on: '2027-12-31' },
  },
})

function keepOrder({ after }: Change): void {
  const found = faults(after.starts_on, after.ends_on)
  if (found.length > 0) throw validationError(found)
}

function faults(first: unknown, last: unknown): Detail[] {
  if (typeof first !== 'string' || typeof last !== 'string' || last >= first) return []
  return [{ field: 'ends_on', message: 'Ends on must not be before starts on', code: 'INVALID_VALUE' }]
}
`.trimStart()

/** Its rule between two fields, as an entry of test/support/field-rules.ts. */
export const rule = `{
    resource: 'subscription',
    fields: ['starts_on', 'ends_on'],
    message: /^Ends on must not be before starts on$/,
  },
`
