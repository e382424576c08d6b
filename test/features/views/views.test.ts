import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { unknownId } from '../../support/contract.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { addDeals, addView, titlesIn, viewsPath } from './views.ts'

const deals = '/api-v1-deals'

async function open(t: TestContext) {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  return { server, client, key }
}

test('A list with a view has the filters and the sort of the view', async (t) => {
  const { client } = await open(t)
  await addDeals(client, [10, 40, 20, 30])
  const { id } = await addView(client, { filter: 'value[gte]=20', sort: '-value' })

  const [viewed, spelledOut] = [
    await client.get(`${deals}?view=${id}`),
    await client.get(`${deals}?value[gte]=20&sort=-value`),
  ]

  assert.deepEqual(titlesIn(viewed), ['40', '30', '20'])
  assert.equal(viewed.body.pagination.total, 3)
  assert.deepEqual(viewed.body.data, spelledOut.body.data)
})

test('A view without filters and sort is the list as it is', async (t) => {
  const { client } = await open(t)
  await addDeals(client, [10, 20])
  const { id } = await addView(client)

  assert.deepEqual(titlesIn(await client.get(`${deals}?view=${id}`)), ['20', '10'])
})

test('A parameter replaces the filters of the view on the same field, however it is written, and sort its sort', async (t) => {
  const { client } = await open(t)
  await addDeals(client, [10, 40, 20, 30])
  const filter = 'value[gte]=20&filter[value][lt]=40&title[like]=0'
  const { id } = await addView(client, { filter, sort: '-value' })
  const titles = async (more: string) => titlesIn(await client.get(`${deals}?view=${id}${more}`))

  assert.deepEqual(await titles(''), ['30', '20'])
  assert.deepEqual(await titles('&sort=value'), ['20', '30'])
  assert.deepEqual(await titles('&filter[value][gt]=20'), ['40', '30'])
  assert.deepEqual(await titles('&value[lte]=20'), ['20', '10'])
  assert.deepEqual(await titles('&title[like]=3'), ['30'])
  assert.deepEqual(await titles('&probability=null'), ['30', '20'])
})

test('Paging and include work with a view', async (t) => {
  const { client } = await open(t)
  await addDeals(client, [10, 40, 20, 30])
  const { id } = await addView(client, { filter: 'value[gte]=20', sort: 'value' })

  const second = await client.get(`${deals}?view=${id}&limit=1&page=2&include=stage`)

  assert.deepEqual(titlesIn(second), ['30'])
  assert.equal(second.body.data[0].stage.name, 'Lead')
})

test('The cursor of a view leads through its records, and is refused once the view means something else', async (t) => {
  const { client } = await open(t)
  await addDeals(client, [10, 40, 20, 30])
  const { id } = await addView(client, { filter: 'value[gte]=20', sort: 'value' })
  const { next_cursor } = (await client.get(`${deals}?view=${id}&limit=2`)).body.pagination
  const next = (more = '') => client.get(`${deals}?view=${id}&cursor=${next_cursor}${more}`)

  assert.deepEqual(titlesIn(await next()), ['40'])
  assertError(await next('&sort=-value'), 400, 'VALIDATION_ERROR', undefined, ['cursor'])
  await client.patch(`${viewsPath}/${id}`, { name: 'Renamed' })
  assert.deepEqual(titlesIn(await next()), ['40'])
  await client.patch(`${viewsPath}/${id}`, { filter: 'value[gte]=10' })
  assertError(await next(), 400, 'VALIDATION_ERROR', undefined, ['cursor'])
})

test('A changed view changes the next list, although responses are cached', async (t) => {
  const { client } = await open(t)
  await addDeals(client, [10, 20])
  const { id } = await addView(client, { filter: 'value=10' })
  const list = () => client.get(`${deals}?view=${id}`)
  await list()

  await client.patch(`${viewsPath}/${id}`, { filter: 'value=20' })

  assert.deepEqual(titlesIn(await list()), ['20'])
})

const wrong: [what: string, field: string, fields: Record<string, unknown>][] = [
  ['a filter by no field', 'filter', { filter: 'colour=red' }],
  ['an operator that the field does not take', 'filter', { filter: 'value[like]=1' }],
  ['a value of another type', 'filter', { filter: 'value=much' }],
  ['a parameter of lists that is not a filter', 'filter', { filter: 'value=1&limit=5' }],
  ['another view', 'filter', { filter: `view=${unknownId}` }],
  ['51 filters', 'filter', { filter: Array(51).fill('value=1').join('&') }],
  ['a text that is no query', 'filter', { filter: 'large deals' }],
  ['a filter above 2,000 characters', 'filter', { filter: `title=${'x'.repeat(2_000)}` }],
  ['a filter that is an object', 'filter', { filter: { value: 1 } }],
  ['a sort by no field', 'sort', { sort: 'colour' }],
  ['a sort that names a field twice', 'sort', { sort: 'value,-value' }],
  ['a column that is no field', 'columns', { columns: ['title', 'colour'] }],
  ['51 columns', 'columns', { columns: Array.from({ length: 51 }, (_, at) => `metadata.key${at}`) }],
  ['a resource without views', 'resource', { resource: 'stage' }],
  ['no resource', 'resource', { resource: null }],
]

test('A view that its resource cannot be listed by is refused, naming the field', async (t) => {
  const { client } = await open(t)
  const { id } = await addView(client)

  for (const [what, field, fields] of wrong) {
    await t.test(what, async () => {
      const create = await client.post(viewsPath, { name: 'Wrong', resource: 'deal', ...fields })
      assertError(create, 400, 'VALIDATION_ERROR', undefined, [field])
      if (field === 'resource') return
      assertError(await client.patch(`${viewsPath}/${id}`, fields), 400, 'VALIDATION_ERROR', undefined, [field])
    })
  }
})

test('All faults of a view are reported together', async (t) => {
  const { client } = await open(t)

  const response = await client.post(viewsPath, {
    ...{ name: 'Wrong', resource: 'task', filter: 'value=1', sort: 'value', columns: ['value'] },
  })

  assertError(response, 400, 'VALIDATION_ERROR', undefined, ['filter', 'sort', 'columns'])
})

test('A filter of a view that is none is refused with the names of the filters, and of no other parameters', async (t) => {
  const { client } = await open(t)
  for (const filter of ['nope=1', 'limit=5', 'value=1&sort=value']) {
    const { body } = await client.post(viewsPath, { name: 'Wrong', resource: 'deal', filter })
    const [{ message }] = body.error.details
    assert.match(message, /"(?:nope|limit|sort)"; allowed: q, id, title, /)
    assert.doesNotMatch(message.split('allowed')[1], /\b(?:limit|page|per_page|cursor|sort|include)\b/)
  }
})

test('Columns are fields of the resource and keys of metadata, in the order given', async (t) => {
  const { client } = await open(t)
  const columns = ['metadata.region', 'value', 'id', 'created_at']

  const view = await addView(client, { columns })

  assert.deepEqual((await client.get(`${viewsPath}/${view.id}`)).body.data.columns, columns)
})

test('Columns may name the arrays of a record, but not of records of another resource', async (t) => {
  const { client } = await open(t)
  const columns = ['contact_emails', 'contact_phones']

  const view = await addView(client, { resource: 'contact', columns })

  assert.deepEqual(view.columns, columns)
  const refused = await client.post(viewsPath, { name: 'Deals', resource: 'deal', columns })
  assertError(refused, 400, 'VALIDATION_ERROR', undefined, ['columns'])
})

test('The resource and the visibility of a view never change', async (t) => {
  const { client } = await open(t)
  const { id } = await addView(client)

  const { body } = await client.patch(`${viewsPath}/${id}`, { name: 'Same', resource: 'task', visibility: 'personal' })

  assert.deepEqual([body.data.name, body.data.resource, body.data.visibility], ['Same', 'deal', 'shared'])
})

test('A list refuses an unknown, malformed or repeated view, and one of another resource or that is deleted', async (t) => {
  const { client } = await open(t)
  const [view, other] = [await addView(client), await addView(client, { resource: 'task' })]
  const { id: gone } = await addView(client)
  await client.delete(`${viewsPath}/${gone}`)
  const message = 'view must be the id of a view of deals that you can use'

  for (const id of [unknownId, 'no-uuid', '', other.id, gone]) {
    assertError(await client.get(`${deals}?view=${id}`), 400, 'VALIDATION_ERROR', message, ['view'])
  }
  assertError(await client.get(`${deals}?view=${view.id}&view=${view.id}`), 400, 'VALIDATION_ERROR', undefined, [
    'view',
  ])
  assertError(await client.get(`/api-v1-stages?view=${view.id}`), 400, 'VALIDATION_ERROR', undefined, ['view'])
})

test('A view that no longer parses is shown as broken, and refused by lists until it is changed', async (t) => {
  const { server, client } = await open(t)
  const { id } = await addView(client, { filter: 'value=10', sort: '-value' })
  const tag = (await client.get(`${viewsPath}/${id}`)).headers.get('etag')!
  // As after an upgrade that removes a filter.
  await server.store.write(1, (tx) => tx.run(breaking, id))
  const path = `${viewsPath}/${id}`

  const [got, listed] = [await client.get(path), await client.get(viewsPath)]
  assert.deepEqual([got.body.data.broken, listed.body.data[0].broken], [true, true])
  assertError(await client.get(`${deals}?view=${id}`), 400, 'VALIDATION_ERROR', undefined, ['view'])
  assertError(await client.patch(path, { name: 'Still broken' }), 400, 'VALIDATION_ERROR', undefined, ['filter'])

  const mended = await client.patch(path, { filter: 'value=20' }, { 'If-Match': got.headers.get('etag')! })
  assert.deepEqual([mended.status, mended.body.data.broken], [200, false])
  assert.notEqual(got.headers.get('etag'), tag)
  assert.equal((await client.get(`${deals}?view=${id}`)).status, 200)
})

const breaking = "UPDATE view SET filter = 'colour=red' WHERE workspace_id = :workspace AND id = ?"

test('A view whose columns no longer exist is broken, and lists still take it', async (t) => {
  const { server, client } = await open(t)
  const { id } = await addView(client)
  const sql = `UPDATE view SET columns = '["colour"]' WHERE workspace_id = :workspace AND id = ?`
  await server.store.write(1, (tx) => tx.run(sql, id))

  assert.equal((await client.get(`${viewsPath}/${id}`)).body.data.broken, true)
  assert.equal((await client.get(`${deals}?view=${id}`)).status, 200)
})

test('A shared view has a history, can be restored and undone', async (t) => {
  const { client } = await open(t)
  const { id } = await addView(client, { sort: 'value' })
  await client.patch(`${viewsPath}/${id}`, { sort: '-value' })
  const { body } = await client.get(`${viewsPath}/${id}/history`)
  await client.post('/api-v1-undo', { seq: body.data[0].seq })
  await client.delete(`${viewsPath}/${id}`)

  const restored = await client.post(`/api-v1-trash/${id}/restore`, {})

  assert.deepEqual(
    body.data.map(({ type }: { type: string }) => type),
    ['view.updated', 'view.created'],
  )
  assert.deepEqual([restored.status, restored.body.data.sort], [200, 'value'])
})

test('Every resource with views can be listed by one', async (t) => {
  const { client } = await open(t)
  for (const resource of ['organization', 'contact', 'deal', 'task', 'activity']) {
    const record = await make(client, resource)
    const { id } = await addView(client, { resource, filter: 'created_at[gte]=2020-01-01', sort: '-updated_at' })
    const path = `/api-v1-${resource === 'activity' ? 'activities' : `${resource}s`}`

    const { body } = await client.get(`${path}?view=${id}`)

    assert.equal(body.data[0].id, record.id)
  }
})
