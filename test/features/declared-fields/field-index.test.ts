import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../../src/crm/contact.ts'
import { findStaleValues } from '../../../src/engine/records/declared/verify.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import { assertError, clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { addContact, declareField, fieldsPath, namesOf } from '../../support/fields.ts'
import { runBatch } from '../../support/imports.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { filled, many } from './many-contacts.ts'

const contactsPath = '/api-v1-contacts'

test('While a large resource is being indexed, lists by the field get 503, and everything else goes on', async (t) => {
  const { server, client, workspaceId, stale } = await filled(t, temporaryDirectory(t), 'nowhere')
  const { id } = await declareField(client, 'n', 'number')
  const step = () => runBatch(server.store, workspaceId)
  await step()

  const refused = [
    await client.get(`${contactsPath}?metadata.n=1`),
    await client.get(`${contactsPath}?sort=metadata.n`),
  ]
  const [first, last] = [await namesOf(client, 'first_name=c0'), await client.get(`${contactsPath}?limit=1`)]
  const { id: changed } = (await client.get(`${contactsPath}?first_name=c3`)).body.data[0]
  await client.patch(`${contactsPath}/${changed}`, { metadata: { n: -5 } })
  await client.delete(`${contactsPath}/${last.body.data[0].id}`)
  await addContact(client, 'new', { n: -7 })
  for (let turn = await step(); turn !== 'idle'; turn = await step());

  for (const response of refused) {
    assertError(response, 503, 'SERVICE_UNAVAILABLE', 'metadata.n is being indexed: try again in a moment')
    assert.equal(response.headers.get('retry-after'), '1')
  }
  assert.deepEqual(first, ['c0'])
  const { body } = await client.get(`${contactsPath}?sort=metadata.n&limit=3`)
  assert.deepEqual(
    body.data.map((each: { first_name: string }) => each.first_name),
    ['new', 'c3', 'c0'],
  )
  assert.equal(body.pagination.total, many)
  assert.deepEqual(stale(), [])
  assert.equal((await client.patch(`${fieldsPath}/${id}`, { unique: true })).status, 200)
})

test('Indexing that was interrupted goes on after the next start, and values of a deleted field are removed', async (t) => {
  const directory = temporaryDirectory(t)
  const { server, client, workspaceId } = await filled(t, directory, 'nowhere')
  const gone = await declareField(client, 'half', 'boolean')
  await declareField(client, 'n', 'number')
  for (let turn = 0; turn < 3; turn++) await runBatch(server.store, workspaceId)
  await client.delete(`${fieldsPath}/${gone.id}`)
  await server.stop()

  const next = await start(t, { directory, work: 'thread' })
  const again = clientFor(next.url, { id: client.keyId, key: client.key })
  await until('the field is indexed', async () => (await again.get(`${contactsPath}?metadata.n=7`)).status, {
    is: (status) => status !== 503,
  })
  const indexes = () => next.store.access.value<number>('SELECT count(*) FROM field_index')
  await until('the other index is removed', indexes, { is: (count) => count === 1 })

  assert.deepEqual(await namesOf(again, 'metadata.n[in]=7,1999&sort=metadata.n'), ['c7', 'c1999'])
  assert.equal(next.store.access.value<number>('SELECT count(*) FROM field_value'), many)
  assert.deepEqual([...findStaleValues(contact, next.store.workspace(workspaceId))], [])
})

test('Lists over many records by declared fields have exact totals and every record once', async (t) => {
  const { server, client, workspaceId } = await filled(t, temporaryDirectory(t), 'nowhere')
  for (const [key, type] of [
    ['n', 'number'],
    ['half', 'boolean'],
    ['none', 'text'],
  ] as const) {
    await declareField(client, key, type)
  }
  for (let turn = ''; turn !== 'idle'; ) turn = await runBatch(server.store, workspaceId)
  const total = async (query: string) => (await client.get(`${contactsPath}?${query}`)).body.pagination.total
  const all = Array.from({ length: many }, (_, n) => `c${n}`)

  assert.deepEqual(await namesOf(client, 'sort=metadata.n'), all)
  assert.deepEqual(await namesOf(client, 'sort=-metadata.half,metadata.n:asc'), [
    ...all.filter((_, n) => n % 2 === 0),
    ...all.filter((_, n) => n % 2 === 1),
  ])
  assert.deepEqual((await namesOf(client, 'sort=metadata.none')).sort(), all.toSorted())
  assert.deepEqual(await namesOf(client, 'metadata.half=true&metadata.n[lt]=9&sort=-metadata.n'), [
    'c8',
    'c6',
    'c4',
    'c2',
    'c0',
  ])
  assert.equal(await total('metadata.half=true'), many / 2)
  assert.equal(await total('metadata.n[gte]=5&sort=metadata.half&page=7'), many - 5)
  assert.equal(await total('metadata.none=null&metadata.half[ne]=true&last_name=Test'), many / 2)
  assert.deepEqual((await client.get(`${contactsPath}?sort=metadata.n&page=3&limit=1`)).body.data[0].first_name, 'c2')
})

test('The sweep names a workspace that has fields to index', async (t) => {
  const { server, client, workspaceId } = await filled(t, temporaryDirectory(t), 'nowhere')
  await declareField(client, 'n', 'number')

  assert.deepEqual(await sweep(server.store), [workspaceId])
  for (let turn = ''; turn !== 'idle'; ) turn = await runBatch(server.store, workspaceId)
  assert.deepEqual(await sweep(server.store), [])
})
