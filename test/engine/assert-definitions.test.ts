import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schema } from '../../src/commands/open-store.ts'
import { contact } from '../../src/crm/contact.ts'
import { deal } from '../../src/crm/deal.ts'
import { organization } from '../../src/crm/organization.ts'
import { stage } from '../../src/crm/stage.ts'
import { assertDefinitions } from '../../src/engine/api/assert-definitions.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { assertResources } from '../../src/features/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { noDurability } from '../../src/store/durability.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openConnection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'

const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
migrate(db, schema.schema, schema.steps)
const { access } = new Store({ db, clock: systemClock, durability: noDurability })
const scopes = [
  'read:organizations',
  'write:organizations',
  'read:contacts',
  'write:contacts',
  'read:deals',
  'write:deals',
]

const problemsOf = (...resources: Resource[]): string[] => {
  try {
    assertDefinitions(resources, { scopes, schema: access })
    return []
  } catch (error) {
    const [first, ...problems] = (error as Error).message.split('\n  ')
    assert.equal(first, 'Invalid resource definitions:')
    return problems
  }
}

const withField = (resource: Resource, name: string, change: object): Resource => {
  const fields = { ...resource.fields, [name]: { ...resource.fields[name]!, ...change } }
  return { ...resource, fields, columns: { ...resource.columns, ...fields } }
}

test('The definitions of all resources are valid', () => {
  assertResources(access)
})

const moveDeal = deal.actions[0]!

const invalid: [problem: string, ...resources: Resource[]][] = [
  ['stage: the path "stages" must be api-v1- and letters, hyphens and slashes', { ...stage, path: 'stages' }],
  ['stage: filters names nmae, which is not a field', { ...stage, filters: ['nmae'] }],
  ['stage: sorts names metadata, whose kind cannot be compared', { ...stage, sorts: ['position', 'metadata'] }],
  ['stage: defaultOperators names color, which is not a filter', { ...stage, defaultOperators: { color: 'like' } }],
  [
    'contact: search names frist_name, which is not a field',
    { ...contact, search: { ...contact.search!, fields: ['frist_name', 'email'] } },
  ],
  [
    'contact: search.subtitle names orgnization, which is no field or relation',
    { ...contact, search: { ...contact.search!, subtitle: ['job_title', 'orgnization'] } },
  ],
  [
    'deal: amounts names value, which is not a filter',
    { ...deal, filters: deal.filters.filter((name) => name !== 'value'), conversion: undefined },
  ],
  ['contact: matchedBy names emial, which is not a field', { ...contact, matchedBy: ['emial'] }],
  ['contact: duplicates names nme, which is not a field', { ...contact, duplicates: [{ by: 'nme' }] }],
  [
    'contact: search or duplicates names organisation_id, which is not a field',
    { ...contact, duplicates: [{ by: 'email', within: 'organisation_id' }] },
  ],
  ['stage: position does not take like', { ...stage, defaultOperators: { position: 'like' } }],
  [
    'stage: defaultSort is invalid: Cannot sort by "color"; allowed: position, name, created_at, updated_at, metadata.<key> once the field is declared',
    { ...stage, defaultSort: 'color' },
  ],
  ['stage: the default page size is above the maximum', { ...stage, pageSize: { default: 50, max: 20 } }],
  [
    'contact: the item filter email names emails.mail, which is not a field',
    { ...contact, itemFilters: { email: { collection: 'emails', field: 'mail' } } },
  ],
  [
    'contact: the item filter kind needs type among the filters of emails',
    { ...contact, itemFilters: { kind: { collection: 'emails', field: 'type' } } },
  ],
  [
    'contact: first_name of the relation organization is no reference to organization',
    { ...contact, relations: { organization: { target: organization, by: 'first_name', fields: ['id'] } } },
  ],
  [
    'contact: the relation organization shows title, which organization lacks',
    { ...contact, relations: { organization: { target: organization, by: 'organization_id', fields: ['title'] } } },
  ],
  ['stage: summary names nmae, which is not a field', { ...stage, summary: ['id', 'nmae'] }],
  ['stage: unique names position, which is not a text field', { ...stage, unique: 'position' }],
  ['organization: schema.sql has no unique index on name_unique', { ...organization, unique: 'name' }],
  ['deal: the action stage takes stage, which no body sets', { ...deal, actions: [{ ...moveDeal, takes: 'stage' }] }],
  ['stage: about.example lacks name, which is required', { ...stage, about: { ...stage.about, example: {} } }],
  ['stage: color needs two examples', withField(stage, 'color', { examples: ['#ffffff'] })],
  ['stage: about.patch is missing', { ...stage, about: { summary: '', example: { name: 'A' } } }],
  [
    `stage: no key can hold the scope read:stages; known scopes: ${scopes.join(', ')}`,
    { ...stage, scopes: { read: 'read:stages', write: 'write:deals' } },
  ],
  ['stage: schema.sql has no table step', { ...stage, table: 'step', counted: false }],
  [
    'stage: the table stage has no column motto',
    { ...stage, stored: { ...stage.stored, motto: { ...stage.fields.metadata!, name: 'motto', keyColumn: 'motto' } } },
  ],
  [
    'deal: amounts takes currency from several records',
    { ...deal, amounts: { ...deal.amounts, probability: { currency: 'currency', of: 'contact_id' } } },
  ],
  ['deal: value has no currency money', { ...deal, amounts: { value: { currency: 'money' } } }],
  ['organization: the index organization_state is missing in schema.sql', { ...organization, filters: ['state'] }],
  [
    'deal: the index deal_contact_role is missing in schema.sql',
    { ...deal, links: { contacts: { ...deal.links.contacts!, to: 'role' } } },
  ],
  [
    'contact: the table contact_email has no column phone_number',
    {
      ...contact,
      collections: { ...contact.collections, phones: { ...contact.collections.phones!, table: 'contact_email' } },
    },
  ],
]

for (const [problem, ...resources] of invalid) {
  test(`The start reports an invalid definition: ${problem}`, () => {
    assert.ok(problemsOf(...resources).includes(problem), problemsOf(...resources).join('\n'))
  })
}

test('The start reports two resources with the same name and path', () => {
  assert.deepEqual(
    [...new Set(problemsOf(stage, stage))],
    ['stage: another resource has the same name', 'stage: another resource has the same path'],
  )
})

test('The start reports every problem of the definitions at once', () => {
  assert.equal(problemsOf({ ...stage, filters: ['x', 'y'], summary: ['z'] }).length, 3)
})
