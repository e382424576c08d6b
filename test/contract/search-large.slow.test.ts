import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deal } from '../../src/crm/deal.ts'
import { task } from '../../src/crm/task.ts'
import { searchedOf } from '../../src/engine/finding/list/search.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import { enterDue } from '../../src/threads/search-entry.ts'
import { assertError, type Client } from '../support/client.ts'
import { fill as insertAll, path, searcher } from '../support/search.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const searched = resources.map(searchedOf)

/** Creates records in one transaction. Later ones have later changes. */
async function fill(server: Server, client: Client, resource: Resource, bodies: object[]): Promise<void> {
  await insertAll(server, client, resource, bodies)
  server.clock.advance(1_000)
}

const titles = async (client: Client, q: string, rest?: Record<string, string>) =>
  (await searcher(client)(q, rest)).map(({ title }) => title)
const hay = Array.from({ length: 1_500 }, (_, row) => ({ title: `Hay ${row}`, description: `Stack of ${row}` }))

test('A large company is searched with the index, exactly and at once, and no other company is seen', async (t) => {
  const server = await start(t)
  const [{ client }, { client: other }] = [await server.company('Acme'), await server.company('Other')]
  const needles = [
    { title: 'Grüne Nadel 😀', description: null },
    { title: 'Pin', description: 'Like a NADEL, but with a head' },
  ]
  for (const each of [client, other]) await fill(server, each, task, [...hay, ...needles])
  await fill(server, other, task, [{ title: 'Nadel of others' }])
  await enterDue(server.store, searched, new AbortController().signal)

  assert.deepEqual(await titles(client, 'nadel'), ['Pin', 'Grüne Nadel 😀'])
  assert.deepEqual(await titles(client, 'head nadel'), ['Pin'])
  assert.deepEqual(await titles(client, 'stack of 1499'), ['Hay 1499'])
  assert.equal((await titles(other, 'nadel')).length, 3)
  const made = await client.post('/api-v1-tasks', { title: 'New', description: 'xnadelx' })
  assert.deepEqual(await titles(client, 'adel'), ['New', 'Pin', 'Grüne Nadel 😀'])
  await client.patch(`/api-v1-tasks/${made.body.data.id}`, { description: 'thread' })
  assert.deepEqual(await titles(client, 'nadelx'), [])
  assert.deepEqual(await titles(client, 'thread'), ['New'])
})

test('Beginnings of names are first however many records match, and the others are in the order of their changes', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const many = (title: string, count: number) => Array.from({ length: count }, () => ({ title }))
  await fill(server, client, deal, [{ title: 'Nord early' }, { title: 'Nord sea early' }])
  await fill(server, client, deal, many('The nord', 10_500))
  await fill(server, client, deal, many('xnord', 10_500))
  await fill(server, client, deal, [{ title: 'Nord late' }, { title: 'Sea of nord' }])

  const found = await titles(client, 'nord', { limit: '6' })

  assert.deepEqual(found.slice(0, 4), ['Nord late', 'Nord sea early', 'Nord early', 'Sea of nord'])
  assert.deepEqual(await titles(client, 'nord sea'), ['Nord sea early', 'Sea of nord'])
  assert.deepEqual(await titles(client, 'n', { limit: '4' }), [
    'Nord late',
    'Nord sea early',
    'Nord early',
    'Sea of nord',
  ])
  assert.deepEqual(await titles(client, 't', { limit: '2' }), ['The nord', 'The nord'])
  assert.deepEqual(await titles(client, 'nothing of this'), [])
})

test('Of many matches, those whose text changed last are found in the index; what waits for it is found, too', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const many = (title: string, count: number) => Array.from({ length: count }, () => ({ title }))
  const index = () => enterDue(server.store, searched, new AbortController().signal)
  await fill(server, client, deal, [{ title: 'Sea of nord' }, { title: 'Isle of nord' }, ...many('xnord', 3_000)])
  await index()
  const [isle] = (await client.get('/api-v1-deals?title=Isle of nord')).body.data

  assert.deepEqual((await titles(client, 'nord', { limit: '1' })).length, 1)
  await client.patch(`/api-v1-deals/${isle.id}`, { title: 'Isle of nord and south' })
  assert.deepEqual(await titles(client, 'nord', { limit: '1' }), ['Isle of nord and south'])
  await fill(server, client, deal, [{ title: 'Cape of nord' }, ...many('xnord', 3_000)])
  assert.deepEqual(await titles(client, 'nord', { limit: '2' }), ['Cape of nord', 'Isle of nord and south'])
  await index()
  assert.deepEqual(await titles(client, 'isle nord'), ['Isle of nord and south'])
})

test('A search that takes too long is 503 and says what to do; the next one is served', async (t) => {
  const server = await start(t, { limits: { listMs: 20 } })
  const { client } = await server.company('Acme')
  const description = `${'ä'.repeat(90_000)} needle`
  await fill(
    server,
    client,
    task,
    Array.from({ length: 400 }, () => ({ title: 'Long', description })),
  )

  const response = await client.get(`${path}?q=needle`)

  assertError(response, 503, 'SERVICE_UNAVAILABLE')
  assert.match(
    response.body.error.message,
    /^The search took longer than 0.02 s: give more or longer words, or fewer types/,
  )
  await until('the next search is served', async () => (await client.get(`${path}?q=needle&types=deal`)).status, {
    is: (status) => status === 200,
  })
})
