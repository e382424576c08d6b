import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, newestOf, openServer } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

const visit = { 'X-Request-Id': 'visit' }

/** Undoes the visit. Fails if its dry run says something else, or if a record is in two lists. */
async function undo(client: Client, asked: object = { request_id: 'visit' }): Promise<JsonRecord> {
  const dry = await client.post('/api-v1-undo', { ...asked, dry_run: true })
  const { body } = await client.post('/api-v1-undo', asked)
  assert.deepEqual(body.data, dry.body.data)
  const all = [...body.data.reversed, ...body.data.kept, ...body.data.errored].map(({ record_id }) => record_id)
  assert.equal(new Set(all).size, all.length)
  return body.data
}

const fieldsOf = (list: JsonRecord[]) => Object.fromEntries(list.map((each) => [each.record_id, each.fields]))

/** The names of the primary contacts of an organization. */
async function primaryOf(client: Client, organizationId: string): Promise<string[]> {
  const { body } = await client.get(`/api-v1-contacts?organization_id=${organizationId}&is_primary=true`)
  return body.data.map(({ first_name }: JsonRecord) => first_name)
}

async function defaultOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/api-v1-pipelines?is_default=true')
  return body.data.map(({ name }: JsonRecord) => name)
}

async function openOrganization(client: Client) {
  const organization_id = await create(client, 'organizations', { name: 'Acme' })
  const person = (first_name: string, more = {}) => create(client, 'contacts', { first_name, organization_id, ...more })
  const ada = await person('Ada', { is_primary: true })
  return { organization_id, person, ada }
}

test('An undo takes the primary flag from no contact that a colleague has chosen since', async (t) => {
  const { client } = await openServer(t)
  const { organization_id, person, ada } = await openOrganization(client)
  await client.patch(`/api-v1-contacts/${ada}`, { is_primary: false, job_title: 'Buyer' }, visit)
  await person('Eve', { is_primary: true })

  const { reversed } = await undo(client)

  assert.deepEqual([reversed[0].fields, reversed[0].kept_fields], [['job_title'], ['is_primary']])
  assert.deepEqual(await primaryOf(client, organization_id), ['Eve'])
})

test('An undo that keeps a flag alone says that another record has it', async (t) => {
  const { client } = await openServer(t)
  const { person, ada } = await openOrganization(client)
  await client.patch(`/api-v1-contacts/${ada}`, { is_primary: false }, visit)
  await person('Eve', { is_primary: true })

  const { kept } = await undo(client)

  assert.deepEqual([kept[0].record_id, kept[0].message], [ada, 'Another record has its flag since'])
})

test('A forced undo lists the contact from which it takes the primary flag', async (t) => {
  const { client } = await openServer(t)
  const { organization_id, person, ada } = await openOrganization(client)
  await client.patch(`/api-v1-contacts/${ada}`, { is_primary: false }, visit)
  const eve = await person('Eve', { is_primary: true })

  const { reversed } = await undo(client, { request_id: 'visit', force: true })

  assert.deepEqual(fieldsOf(reversed), { [ada]: ['is_primary'], [eve]: ['is_primary'] })
  assert.deepEqual(await primaryOf(client, organization_id), ['Ada'])
})

for (const force of [false, true]) {
  const how = force
    ? 'as primary if that is forced, and then the present one is in the report'
    : 'without the primary flag'

  test(`A contact that an undo moves back to an organization with another primary contact comes ${how}`, async (t) => {
    const { client } = await openServer(t)
    const { organization_id, person, ada } = await openOrganization(client)
    const other = await create(client, 'organizations', { name: 'Other' })
    await client.patch(`/api-v1-contacts/${ada}`, { organization_id: other }, visit)
    const eve = await person('Eve', { is_primary: true })

    const { reversed } = await undo(client, { request_id: 'visit', force })

    const moved = { [ada]: ['organization_id'] }
    assert.deepEqual(fieldsOf(reversed), force ? { ...moved, [eve]: ['is_primary'] } : moved)
    assert.deepEqual(await primaryOf(client, organization_id), [force ? 'Ada' : 'Eve'])
    assert.equal((await client.get(`/api-v1-contacts/${ada}`)).body.data.organization_id, organization_id)
  })
}

for (const [how, between] of [
  ['left it as primary', {}],
  ['was not primary for a while', { is_primary: false }],
] as const) {
  test(`An undo of all that was done returns the primary contact that ${how}, whatever the order of the changes`, async (t) => {
    const { client } = await openServer(t)
    const { organization_id, ada } = await openOrganization(client)
    const other = await create(client, 'organizations', { name: 'Other' })
    await client.patch(`/api-v1-contacts/${ada}`, { organization_id: other, ...between }, visit)
    await client.post('/api-v1-contacts', { first_name: 'Eve', organization_id, is_primary: true }, visit)
    await client.patch(`/api-v1-contacts/${ada}`, { is_primary: true, job_title: 'Buyer' }, visit)

    const { reversed, kept } = await undo(client)

    assert.deepEqual([reversed.length, kept], [2, []])
    assert.deepEqual(
      reversed.flatMap(({ kept_fields }: JsonRecord) => kept_fields),
      [],
    )
    assert.deepEqual(await primaryOf(client, organization_id), ['Ada'])
  })
}

test('An undo of an undo restores a primary contact as such, though the one that has the flag leaves later', async (t) => {
  const { client } = await openServer(t)
  const { organization_id, ada } = await openOrganization(client)
  const other = (await client.post('/api-v1-organizations', { name: 'Other' }, visit)).body.data.id
  await client.patch(`/api-v1-contacts/${ada}`, { organization_id: other }, visit)
  await client.post('/api-v1-contacts', { first_name: 'Eve', organization_id, is_primary: true }, visit)
  await client.patch(`/api-v1-contacts/${ada}`, { job_title: 'Buyer' }, visit)
  await client.post('/api-v1-undo', { request_id: 'visit' }, { 'X-Request-Id': 'back' })

  const { reversed, kept, errored } = await undo(client, { request_id: 'back' })

  assert.deepEqual([reversed.length, kept, errored], [3, [], []])
  assert.deepEqual([await primaryOf(client, organization_id), await primaryOf(client, other)], [['Eve'], ['Ada']])
})

test('A contact that an undo restores with its primary flag does not take it from one chosen since', async (t) => {
  const { client } = await openServer(t)
  const { organization_id, person, ada } = await openOrganization(client)
  await client.patch(`/api-v1-contacts/${ada}`, { is_primary: false }, visit)
  await client.delete(`/api-v1-contacts/${ada}`, visit)
  await person('Eve', { is_primary: true })

  const { reversed } = await undo(client)

  assert.deepEqual(reversed[0].kept_fields, ['is_primary'])
  assert.deepEqual(await primaryOf(client, organization_id), ['Eve'])
})

test('An undo gives the primary flag back to the contact from which the undone request took it', async (t) => {
  const { client } = await openServer(t)
  const { organization_id, person, ada } = await openOrganization(client)
  const eve = await person('Eve')
  await client.patch(`/api-v1-contacts/${eve}`, { is_primary: true }, visit)

  const { reversed } = await undo(client)

  assert.deepEqual(fieldsOf(reversed), { [ada]: ['is_primary'], [eve]: ['is_primary'] })
  assert.deepEqual(await primaryOf(client, organization_id), ['Ada'])
})

test('An undo takes the default from no pipeline that a colleague has chosen since, unless it is forced', async (t) => {
  const { client } = await openServer(t)
  const [sales] = (await client.get('/api-v1-pipelines')).body.data
  const partners = await create(client, 'pipelines', { name: 'Partners' })
  const events = await create(client, 'pipelines', { name: 'Events' })
  await client.patch(`/api-v1-pipelines/${partners}`, { is_default: true }, visit)
  await client.patch(`/api-v1-pipelines/${events}`, { is_default: true })

  const { kept } = await undo(client)
  const chosen = await defaultOf(client)
  const forced = await client.post('/api-v1-undo', { request_id: 'visit', force: true })

  assert.deepEqual(kept.map(({ record_id }: JsonRecord) => record_id).sort(), [sales.id, partners].sort())
  assert.deepEqual(chosen, ['Events'])
  assert.deepEqual(await defaultOf(client), ['Sales'])
  const [{ record_id, fields }] = forced.body.data.reversed.filter(({ record_id }: JsonRecord) => record_id === events)
  assert.deepEqual([record_id, fields], [events, ['is_default']])
})

test('An undo gives the default back to the pipeline from which the undone request took it, and lists both', async (t) => {
  const { client } = await openServer(t)
  const [sales] = (await client.get('/api-v1-pipelines')).body.data
  const partners = await create(client, 'pipelines', { name: 'Partners' })
  await client.patch(`/api-v1-pipelines/${partners}`, { is_default: true }, visit)

  const { reversed } = await undo(client, { seq: await newestOf(client, sales.id) })

  assert.deepEqual(fieldsOf(reversed), { [sales.id]: ['is_default'], [partners]: ['is_default'] })
  assert.deepEqual(await defaultOf(client), ['Sales'])
})
