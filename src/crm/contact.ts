import { collection, resource } from '../engine/records/define.ts'
import type { Change, Row } from '../engine/records/definition/change.ts'
import type { ItemFault } from '../engine/records/definition/options.ts'
import { metadata, reference, required, unlogged } from '../engine/records/kinds/fields.ts'
import { email, phone, text } from '../engine/records/kinds/text-kinds.ts'
import { flag, timestamp } from '../engine/records/kinds/value-kinds.ts'
import { changeRow } from '../engine/records/rows/write.ts'
import { emailKey, emailMax } from '../lib/email.ts'
import type { Reader } from '../store/reader.ts'
import { lastActivityAbout, organization } from './organization.ts'

const onePrimary =
  'Exactly one item is primary: the first with `true`, otherwise the first without `false`, otherwise the first.'

/** spec: Contact */
export const contact = resource('contact', {
  path: 'api-v1-contacts',
  scope: 'contacts',
  fields: {
    first_name: required(text(), 'First name is required'),
    last_name: text(),
    job_title: text(),
    organization_id: reference(organization),
    is_primary: flag(),
    consent_to_record: flag(),
    metadata: metadata(),
  },
  unshown: { last_activity_at: unlogged(timestamp()) },
  filters: [
    'first_name',
    'last_name',
    'job_title',
    'organization_id',
    'is_primary',
    'last_activity_at',
    'created_at',
    'updated_at',
  ],
  itemFilters: {
    email: { collection: 'emails', field: 'email' },
    phone: { collection: 'phones', field: 'phone_number' },
  },
  sorts: ['first_name', 'last_name', 'job_title', 'last_activity_at', 'created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  tallied: ['is_primary'],
  relations: {
    organization: { target: organization, by: 'organization_id', named: true },
  },
  collections: {
    emails: collection({
      table: 'contact_email',
      owner: 'contact_id',
      as: 'contact_emails',
      item: 'email',
      fields: {
        email: required(email(), 'Email is required'),
        type: text({ default: 'work' }),
        is_primary: { ...flag(), default: null },
      },
      filters: ['email'],
      check: repeatedAddresses,
      complete: choosePrimary,
      about: {
        fields: { type: '`work`, `personal` or any other text.', is_primary: onePrimary },
        first: { email: 'ada@mueller.example', type: 'work', is_primary: true },
        second: { email: 'ada.weber@example.com', type: 'personal', is_primary: false },
        patch: { type: 'office' },
      },
    }),
    phones: collection({
      table: 'contact_phone',
      owner: 'contact_id',
      as: 'contact_phones',
      item: 'phone',
      fields: {
        phone_number: required(phone(), 'Phone number is required'),
        type: text({ default: 'work' }),
        is_primary: { ...flag(), default: null },
      },
      filters: ['phone_number'],
      complete: choosePrimary,
      about: {
        fields: {
          phone_number: 'Preferably as E.164: `+49891234567`.',
          type: '`work`, `mobile` or any other text.',
          is_primary: onePrimary,
        },
        first: { phone_number: '+49891234567', type: 'work', is_primary: true },
        second: { phone_number: '+491701234567', type: 'mobile', is_primary: false },
        patch: { type: 'office' },
      },
    }),
  },
  summary: ['id', 'first_name', 'last_name'],
  title: ['first_name', 'last_name'],
  search: {
    fields: ['first_name', 'last_name', 'job_title', 'email', 'phone'],
    exact: ['email', 'phone'],
    subtitle: ['job_title', 'organization'],
  },
  limit: 'max_contacts',
  isCard: true,
  matchedBy: ['email'],
  duplicates: [
    { by: 'email' },
    { by: 'phone' },
    { by: 'name', fields: ['first_name', 'last_name'], within: 'organization_id' },
  ],
  sole: { flag: 'is_primary', within: 'organization_id' },
  beforeWrite: keepOnePrimary,
  beforeRestore: keepFormerPrimary,
  beforeMerge: keepOtherPrimary,
  about: {
    summary: 'A person, with email addresses and phone numbers.',
    fields: {
      is_primary:
        'Whether it is the primary contact of its organization. An organization has at most one: setting it clears the previous one.',
      consent_to_record: 'Whether calls may be recorded.',
      last_activity_at: lastActivityAbout,
    },
    example: { first_name: 'Ada', last_name: 'Weber', job_title: 'Head of purchasing', is_primary: true },
    patch: { job_title: 'Managing director', consent_to_record: true },
  },
})

/** A contact that becomes primary, or moves to the organization as primary, replaces the former one (decision D4). */
function keepOnePrimary({ tx, id, after }: Change): void {
  if (!after.is_primary || after.organization_id === null) return
  const former = lookupPrimary(tx, String(after.organization_id))
  if (former !== undefined && former !== id) changeRow(contact, tx, former, { is_primary: 0 })
}

/** A restored contact is primary only if its organization has no other (decision G11), unless an undo gives the flag back to it. */
function keepFormerPrimary(change: Change): void {
  const { tx, given, after } = change
  if (given.is_primary === 1) keepOnePrimary(change)
  else if (after.organization_id !== null && lookupPrimary(tx, String(after.organization_id)) !== undefined)
    after.is_primary = 0
}

/** A merge takes the primary contact of an organization from nobody and leaves none without, unless the request says so (decision K6). */
function keepOtherPrimary({ tx, id, given, before, after }: Change, others: readonly Row[]): void {
  if (given.is_primary !== undefined || after.organization_id === null) return
  const isPrimaryThere = (row: Row | undefined) =>
    row?.is_primary === 1 && row.organization_id === after.organization_id
  if ([before, ...others].some(isPrimaryThere)) after.is_primary = 1
  const present = lookupPrimary(tx, String(after.organization_id))
  if (present !== undefined && present !== id) after.is_primary = 0
}

/** The primary contact of an organization. */
function lookupPrimary(reader: Reader, organizationId: string): string | undefined {
  const sql = `SELECT id FROM contact
    WHERE workspace_id = :workspace AND organization_id = ? AND is_primary = 1 AND deleted_at IS NULL`
  return reader.value<string>(sql, organizationId)
}

/**
 * Makes exactly one item primary (decision D5): the first with `is_primary: true`, otherwise the first without `is_primary: false`, otherwise
 * the first. An item that becomes primary later replaces the former one. If the primary item is set to false, the first other one becomes
 * primary.
 */
function choosePrimary(items: Row[], changed?: Row): void {
  const chosen =
    (changed?.is_primary === 1 ? changed : items.find((item) => item.is_primary === 1)) ??
    items.find((item) => item.is_primary !== 0) ??
    items.find((item) => item !== changed) ??
    items[0]
  for (const item of items) item.is_primary = item === chosen ? 1 : 0
}

/** Reports addresses that occur more than once in a contact, case-insensitively (decision D5). */
function repeatedAddresses(emails: readonly Partial<Row>[]): ItemFault[] {
  const seen = new Set<string>()
  return emails.flatMap(({ email }, index) => {
    if (typeof email !== 'string' || email.length > emailMax) return []
    const address = emailKey(email)
    const repeated = seen.has(address)
    seen.add(address)
    const message = 'This email is given twice'
    return repeated ? [{ index, field: 'email', code: 'INVALID_VALUE' as const, message }] : []
  })
}
