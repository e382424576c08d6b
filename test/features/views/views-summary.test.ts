import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { unknownId } from '../../support/contract.ts'
import { start } from '../../support/start.ts'
import { addDeals, addView, titlesIn, viewsPath } from './views.ts'

const deals = '/api-v1-deals'
const summary = `${deals}/summary`
const refused: [number, string, undefined, string[]] = [400, 'VALIDATION_ERROR', undefined, ['view']]

async function open(t: TestContext) {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  await addDeals(client, [10, 40, 20, 30])
  return { server, client, key }
}

test('A summary with a view counts and sums the records that the list with the view shows', async (t) => {
  const { client } = await open(t)
  const { id } = await addView(client, { filter: 'value[gte]=20&title[ne]=30', sort: '-value' })

  const { data, pagination } = (await client.get(`${summary}?view=${id}&measure=sum:value`)).body

  assert.deepEqual(data, [{ group: { currency: 'EUR' }, count: 2, 'sum:value': 60 }])
  assert.equal(pagination.has_more, false)
  assert.deepEqual(titlesIn(await client.get(`${deals}?view=${id}`)), ['40', '20'])
})

test('A filter of a summary replaces the filters of the view on the same field', async (t) => {
  const { client } = await open(t)
  const { id } = await addView(client, { filter: 'value[gte]=20&title[ne]=30' })
  const count = async (more: string) => (await client.get(`${summary}?view=${id}${more}`)).body.data[0].count

  assert.equal(await count(''), 2)
  assert.equal(await count('&filter[value][lt]=40'), 2)
  assert.equal(await count('&title=30'), 1)
  assert.equal(await count('&currency=EUR'), 2)
  assert.equal(await count('&currency=CHF'), 0)
  assertError(await client.get(`${summary}?view=${id}&sort=value`), 400, 'VALIDATION_ERROR', undefined, ['sort'])
})

test('The cursor of a summary is refused once the filter of its view has changed', async (t) => {
  const { client } = await open(t)
  const { id } = await addView(client, { filter: 'value[gte]=20' })
  const page = `${summary}?view=${id}&group_by=value&limit=2`
  const { next_cursor } = (await client.get(page)).body.pagination
  const next = () => client.get(`${page}&cursor=${next_cursor}`)

  assert.deepEqual((await next()).body.data, [{ group: { value: 40 }, count: 1 }])
  await client.patch(`${viewsPath}/${id}`, { filter: 'value[gte]=10' })
  assertError(await next(), 400, 'VALIDATION_ERROR', undefined, ['cursor'])
})

test('A summary refuses the views that the list refuses, with the same response', async (t) => {
  const { server, client, key } = await open(t)
  const userId = await client.addUser()
  const mine = await addView(await key({ userId }), { visibility: 'personal' })
  const gone = await addView(client)
  await client.delete(`${viewsPath}/${gone.id}`)
  const task = await addView(client, { resource: 'task' })
  const foreign = await addView((await server.company('Other')).client)
  const test = await addView(await key({ environment: 'test' }))

  for (const id of [mine.id, gone.id, task.id, foreign.id, test.id, unknownId, 'nonsense', '', `${task.id}&view=`]) {
    const [summarized, listed] = [await client.get(`${summary}?view=${id}`), await client.get(`${deals}?view=${id}`)]
    assertError(summarized, ...refused)
    assert.deepEqual(summarized.body.error.details, listed.body.error.details)
  }
})

test('A personal view filters the summary of its user only, although summaries are cached', async (t) => {
  const { client, key } = await open(t)
  const [grace, otto] = [await key({ userId: await client.addUser() }), await key({ userId: await client.addUser() })]
  const { id } = await addView(grace, { visibility: 'personal', filter: 'value=10' })

  assert.equal((await grace.get(`${summary}?view=${id}`)).body.data[0].count, 1)
  for (const other of [otto, client]) assertError(await other.get(`${summary}?view=${id}`), ...refused)
})

test('A summary with a view requires the scope that reads the resource', async (t) => {
  const { client, key } = await open(t)
  const { id } = await addView(client, { filter: 'value=10' })
  const message = 'Insufficient permissions. Required scope: read:deals'
  assert.equal((await (await key({ scopes: ['read:deals'] })).get(`${summary}?view=${id}`)).status, 200)

  const reader = await key({ scopes: ['read:tasks'] })
  assertError(await reader.get(`${summary}?view=${id}`), 403, 'INSUFFICIENT_PERMISSIONS', message)
})

test('A view whose declared field was deleted is refused by lists and summaries, which name it, until it is repaired', async (t) => {
  const { client } = await open(t)
  const field = (await client.post('/api-v1-fields', { resource: 'deal', key: 'region', type: 'text' })).body.data
  const { id } = await addView(client, { filter: 'metadata.region=north', sort: '-value' })
  assert.equal((await client.get(`${summary}?view=${id}`)).body.data[0].count, 0)

  await client.delete(`/api-v1-fields/${field.id}`)

  for (const path of [deals, summary]) {
    const response = await client.get(`${path}?view=${id}`)
    assertError(response, ...refused)
    assert.match(response.body.error.details[0].message, /^The view is broken, change it first: .*metadata\.region/)
  }
  assert.equal((await client.get(`${viewsPath}/${id}`)).body.data.broken, true)
  await client.patch(`${viewsPath}/${id}`, { filter: 'value=10' })
  assert.equal((await client.get(`${summary}?view=${id}`)).body.data[0].count, 1)
})
