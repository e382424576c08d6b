import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../../src/crm/contact.ts'
import { findStaleValues } from '../../../src/engine/records/declared/verify.ts'
import { assertError, type Client } from '../../support/client.ts'
import { addContact, declareField, fieldsPath, namesOf } from '../../support/fields.ts'
import { importAll } from '../../support/imports.ts'
import type { JsonRecord } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'

const options = ['red', 'green', 'blue']

/** A company with contacts named after their tags. */
async function open(client: Client): Promise<void> {
  await declareField(client, 'tags', 'choices', { options })
  const tags = { R: ['red'], RG: ['green', 'red'], RGB: options, B: ['blue', 'unknown', 'blue'] }
  for (const [name, each] of Object.entries(tags)) await addContact(client, name, { tags: each })
  for (const [name, metadata] of Object.entries({ None: {}, Empty: { tags: [] }, Text: { tags: 'red' } }))
    await addContact(client, name, metadata)
}

const found = async (client: Client, query: string) => (await namesOf(client, query)).sort()

/** What each filter finds among those contacts. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'metadata.tags=red': ['R', 'RG', 'RGB'],
  'filter[metadata.tags][eq]=blue': ['B', 'RGB'],
  'metadata.tags[in]=red,green': ['R', 'RG', 'RGB'],
  'metadata.tags[in]=green, blue': ['B', 'RG', 'RGB'],
  'metadata.tags[all]=red,green': ['RG', 'RGB'],
  'metadata.tags[all]=red': ['R', 'RG', 'RGB'],
  'metadata.tags[none]=red': ['B', 'Empty', 'None', 'Text'],
  'metadata.tags[none]=green,blue': ['Empty', 'None', 'R', 'Text'],
  'metadata.tags=null': ['Empty', 'None', 'Text'],
  'metadata.tags[in]=null,blue': ['B', 'Empty', 'None', 'RGB', 'Text'],
  'metadata.tags=red&metadata.tags[none]=blue': ['R', 'RG'],
}

test('Filters find the records that have an option, any, all or none of several, or none at all', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)

  for (const [query, names] of Object.entries(expected)) assert.deepEqual(await found(client, query), names, query)
})

test('Among many records, filters find the same', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)
  const others = Array.from({ length: 2_100 }, () => ({ first_name: 'Other', metadata: { tags: ['green'] } }))
  for (let at = 0; at < others.length; at += 1_000) await importAll(client, 'contacts', others.slice(at, at + 1_000))

  for (const [query, names] of Object.entries(expected))
    assert.deepEqual(await found(client, `${query}&first_name[ne]=Other`), names, query)
  const total = async (query: string) => (await client.get(`/api-v1-contacts?limit=1&${query}`)).body.pagination.total
  assert.equal(await total('metadata.tags[in]=green,red'), 2_103)
  assert.equal(await total('metadata.tags[none]=red,blue'), 2_103)
  assert.equal(await total('metadata.tags=green&first_name=Other'), 2_100)
})

test('An unknown option, another operator, and a sort are refused', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)

  for (const query of [
    'metadata.tags=pink',
    'metadata.tags[in]=red,pink',
    'metadata.tags[all]=null',
    'metadata.tags[none]=red,null',
    'metadata.tags[all]=',
    'metadata.tags[like]=re',
    'metadata.tags[ne]=red',
    'sort=metadata.tags',
  ])
    assertError(await client.get(`/api-v1-contacts?${query}`), 400, 'VALIDATION_ERROR')
})

test('The message about a sort that is refused does not offer a field that has several values', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)
  await declareField(client, 'size', 'number')

  const { body } = await client.get('/api-v1-contacts?sort=metadata.tags')

  const [, allowed] = body.error.details[0].message.split('; allowed: ')
  assert.match(allowed, /metadata\.size/)
  assert.doesNotMatch(allowed, /metadata\.tags/)
})

test('Options contain no semicolon and no comma, and such a field is not unique', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const declare = (rest: object) =>
    client.post(fieldsPath, { resource: 'contact', key: 'tags', type: 'choices', ...rest })

  for (const option of ['a;b', 'a, b']) {
    const response = await declare({ options: ['x', option] })
    assertError(response, 400, 'VALIDATION_ERROR')
    assert.equal(response.body.error.details[0].field, 'options')
  }
  const unique = await declare({ options, unique: true })
  assertError(unique, 400, 'VALIDATION_ERROR')
  assert.equal(unique.body.error.details[0].field, 'unique')
  const { id } = (await declare({ options })).body.data
  assertError(await client.patch(`${fieldsPath}/${id}`, { unique: true }), 400, 'VALIDATION_ERROR')
  assertError(await client.patch(`${fieldsPath}/${id}`, { options: ['a;b'] }), 400, 'VALIDATION_ERROR')
})

test('A record counts in the group of each of its options, and one without in that of null', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)
  const groups = async (query: string) =>
    (await client.get(`/api-v1-contacts/summary?group_by=metadata.tags${query}`)).body.data.map(
      ({ group, count }: JsonRecord) => [group['metadata.tags'], count],
    )

  assert.deepEqual(await groups(''), [
    [null, 3],
    ['red', 3],
    ['green', 2],
    ['blue', 2],
  ])
  assert.deepEqual(await groups('&metadata.tags=blue'), [
    ['red', 1],
    ['green', 1],
    ['blue', 2],
  ])
})

test('The index follows patches, deletions, restores and changed options', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)
  const idOf = async (name: string) => (await client.get(`/api-v1-contacts?first_name=${name}`)).body.data[0].id
  const [r, rgb] = [await idOf('R'), await idOf('RGB')]

  await client.patch(`/api-v1-contacts/${r}`, { metadata: { tags: ['blue'] } })
  await client.delete(`/api-v1-contacts/${rgb}`)
  assert.deepEqual(await found(client, 'metadata.tags=red'), ['RG'])
  assert.deepEqual(await found(client, 'metadata.tags=blue'), ['B', 'R'])
  await client.post(`/api-v1-trash/${rgb}/restore`, {})
  assert.deepEqual(await found(client, 'metadata.tags=red'), ['RG', 'RGB'])

  const { data } = (await client.get(`${fieldsPath}?key=tags`)).body
  await client.patch(`${fieldsPath}/${data[0].id}`, { options: ['blue', 'unknown', 'red'] })
  assert.deepEqual(await found(client, 'metadata.tags=red'), ['RG', 'RGB'])
  assert.deepEqual(await found(client, 'metadata.tags=unknown'), ['B'])
  assertError(await client.get('/api-v1-contacts?metadata.tags=green'), 400, 'VALIDATION_ERROR')
})

test('What a deleted field had is removed, and the field can be declared again', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await open(client)
  const { data } = (await client.get(`${fieldsPath}?key=tags`)).body

  await client.delete(`${fieldsPath}/${data[0].id}`)

  const rows = () => server.store.access.value<number>('SELECT count(*) FROM field_choice')
  await until('no row of the field is left', rows, { is: (count) => count === 0 })
  await declareField(client, 'tags', 'choices', { options: ['green'] })
  assert.deepEqual(await found(client, 'metadata.tags=green'), ['RG', 'RGB'])
})

test('A check of the database finds options that are not those of the records', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const workspaceId = server.store.access.value<number>(
    "SELECT id FROM workspace WHERE environment = 'live' ORDER BY id DESC",
  )!
  await open(client)
  await declareField(client, 'motto', 'text')
  await addContact(client, 'Ada', { motto: 'no JSON' })
  const problems = () => [...findStaleValues(contact, server.store.workspace(workspaceId))]
  assert.deepEqual(problems(), [])

  await server.store.writeAccess((tx) => tx.run('DELETE FROM field_choice WHERE rank = 0'))

  assert.deepEqual(problems(), ['metadata.tags of contact has 3 wrong options'])
})

test('A CSV cell holds the options of a record', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await open(client)

  const { body } = await client.get('/api-v1-contacts?columns=first_name,metadata.tags,metadata&sort=first_name', {
    accept: 'text/csv',
  })

  assert.deepEqual(body.replace('\uFEFF', '').trim().split('\r\n'), [
    'first_name,metadata.tags,metadata',
    'B,"blue; unknown; blue",',
    'Empty,,"{""tags"":[]}"',
    'None,,',
    'R,red,',
    'RG,"green; red",',
    'RGB,"red; green; blue",',
    'Text,,"{""tags"":""red""}"',
  ])
})
