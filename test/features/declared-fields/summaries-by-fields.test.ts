import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../../src/crm/contact.ts'
import { indexedAtOnce } from '../../../src/engine/records/declared/declare.ts'
import { readCreate } from '../../../src/engine/records/rows/validate.ts'
import { insert } from '../../../src/engine/records/rows/write.ts'
import { assertError, type Client } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { addContact, declareField, fieldsPath } from '../../support/fields.ts'
import { runBatch } from '../../support/imports.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const path = '/api-v1-contacts/summary'

/** The value and the number of records of each group, in the order of the response. */
async function countsOf(client: Client, by: string, rest = ''): Promise<unknown[]> {
  const { status, body } = await client.get(`${path}?group_by=${by}${rest}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ group, count }: JsonRecord) => [...by.split(',').map((name) => group[name]), count])
}

test('Records are grouped by declared fields of each type; empty values and those of other types are the group null', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const cases: [type: string, values: unknown[], groups: [unknown, number][]][] = [
    ['choice', ['small', 'large', 'large', 'huge', 5], [[null, 2], ['large', 2], ['small', 1]]],
    ['boolean', [true, false, true, 'true', null], [[null, 2], [false, 1], [true, 2]]],
    ['number', [10, 9.5, -1, '9', 10], [[null, 1], [-1, 1], [9.5, 1], [10, 2]]],
    ['text', ['b', 'B', 'á', ' ', ['x']], [[null, 2], ['á', 1], ['B', 1], ['b', 1]]],
    ['email', ['A@x.io', 'a@x.io', 'no', {}, 1], [[null, 3], ['a@x.io', 2]]],
    ['date', ['2026-12-06', '2026-12-07', '2026-12-06', '2026-13-01', 1], [[null, 2], ['2026-12-06', 2], ['2026-12-07', 1]]],
  ] // biome-ignore format: a line for each type
  for (const [type] of cases) await declareField(client, type, type, { options: ['large', 'small'] })
  for (let at = 0; at < 5; at++) {
    await addContact(client, `c${at}`, Object.fromEntries(cases.map(([type, values]) => [type, values[at]])))
  }

  for (const [type, , groups] of cases) {
    assert.deepEqual(await countsOf(client, `metadata.${type}`), groups, type)
    const filtered = await countsOf(client, `metadata.${type}`, '&last_name=Test')
    assert.deepEqual(filtered, groups, `${type} with a filter`)
  }
  assert.deepEqual(
    await countsOf(client, 'last_name,metadata.boolean', '&metadata.number=10'),
    [
      ['Test', true, 1],
      ['Test', null, 1],
    ].reverse(),
  )
})

test('Dates and datetimes of declared fields are grouped by UTC day, week from Monday and month', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const type of ['date', 'datetime']) await declareField(client, type, type)
  const days = ['2026-11-30', '2026-12-06', '2026-12-07', undefined, '2027-01-03']
  for (const day of days) await addContact(client, 'c', { date: day, datetime: day && `${day}T23:30:00-01:00` })

  assert.deepEqual(await countsOf(client, 'metadata.date:day'), [
    [null, 1],
    ...days.filter((day) => day !== undefined).map((day) => [day, 1]),
  ])
  assert.deepEqual(await countsOf(client, 'metadata.date:week'), [
    [null, 1],
    ['2026-11-30', 2],
    ['2026-12-07', 1],
    ['2026-12-28', 1],
  ])
  assert.deepEqual(await countsOf(client, 'metadata.datetime:week'), [
    [null, 1],
    ['2026-11-30', 1],
    ['2026-12-07', 2],
    ['2027-01-04', 1],
  ])
  assert.deepEqual(await countsOf(client, 'metadata.datetime:month'), [
    [null, 1],
    ['2026-12-01', 3],
    ['2027-01-01', 1],
  ])
})

test('Numbers of declared fields are summed exactly, with negative ones, by any group', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const [key, type] of [['n', 'number'], ['m', 'number'], ['t', 'text']] as const) await declareField(client, key, type) // biome-ignore format: short
  for (const [n, t] of [
    [0.1, 'x'],
    [0.2, 'x'],
    [1e9, 'x'],
    [-1e9, 'x'],
    ['7', 'y'],
    [2.5, null],
  ] as const) {
    await addContact(client, 'c', { n, t, m: 0.1 })
  }
  const sums = async (query: string) => (await client.get(`${path}?measure=sum:metadata.n${query}`)).body.data

  assert.deepEqual(await sums(''), [{ group: {}, count: 6, 'sum:metadata.n': 2.8 }])
  assert.deepEqual(await sums(',sum:metadata.m&metadata.n[gt]=0&metadata.n[lt]=1'), [
    { group: {}, count: 2, 'sum:metadata.n': 0.3, 'sum:metadata.m': 0.2 },
  ])
  assert.deepEqual(await sums('&group_by=metadata.t'), [
    { group: { 'metadata.t': null }, count: 1, 'sum:metadata.n': 2.5 },
    { group: { 'metadata.t': 'x' }, count: 4, 'sum:metadata.n': 0.3 },
    { group: { 'metadata.t': 'y' }, count: 1, 'sum:metadata.n': 0 },
  ])
  assert.deepEqual((await sums('&group_by=metadata.n')).at(-1), {
    group: { 'metadata.n': 1e9 },
    count: 1,
    'sum:metadata.n': 1e9,
  })
})

test('Fields of other companies and resources, and undeclared keys, are refused and named', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  await declareField(acme.client, 'tier', 'text')
  await declareField(acme.client, 'size', 'number')
  await declareField(other.client, 'tier', 'text')
  await addContact(acme.client, 'a', { tier: 'gold', size: 1 })
  await addContact(other.client, 'b', { tier: 'tin', size: 2 })
  const writer = await acme.key({ scopes: ['write:contacts'] })

  assert.deepEqual(await countsOf(acme.client, 'metadata.tier'), [['gold', 1]])
  assert.deepEqual(await countsOf(other.client, 'metadata.tier'), [['tin', 1]])
  assertError(await writer.get(`${path}?group_by=metadata.tier`), 403, 'INSUFFICIENT_PERMISSIONS')
  const groups = ['metadata.size', 'metadata.none', 'metadata.tier:day', 'metadata.', 'metadata.tier:', 'metadata']
  for (const by of groups) {
    assertError(await other.client.get(`${path}?group_by=${by}`), 400, 'VALIDATION_ERROR', undefined, ['group_by'])
  }
  for (const measure of ['sum:metadata.size', 'sum:metadata.tier', 'weighted:metadata.size', 'metadata.tier']) {
    const response = await other.client.get(`${path}?measure=${measure}`)
    assertError(response, 400, 'VALIDATION_ERROR', undefined, ['measure'])
  }
  const deals = await acme.client.get('/api-v1-deals/summary?group_by=metadata.tier')
  assertError(deals, 400, 'VALIDATION_ERROR', undefined, ['group_by'])
})

test('A summary by a tallied field without filters counts what the list counts, after every kind of change', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const status of ['active', 'lost', 'lost']) await make(client, 'organization', { status })
  const { body } = await client.get('/api-v1-organizations?status=lost')
  await client.delete(`/api-v1-organizations/${body.data[0].id}`)
  await client.patch(`/api-v1-organizations/${body.data[1].id}`, { status: 'inactive' })
  const summary = (query: string) => client.get(`/api-v1-organizations/summary?group_by=status${query}`)
  const first = (await summary('&limit=1')).body

  const all = (await summary('')).body.data
  const rest = (await summary(`&limit=1&cursor=${first.pagination.next_cursor}`)).body

  assert.deepEqual(all, (await summary('&name[ne]=null')).body.data)
  assert.deepEqual(all.map(({ group, count }: JsonRecord) => [group.status, count]), [['active', 1], ['inactive', 1]]) // biome-ignore format: short
  assert.deepEqual([...first.data, ...rest.data], all)
  assert.equal(rest.pagination.has_more, false)
})

test('Groups of many distinct values have pages that a cursor continues, with and without filters', async (t) => {
  const server = await start(t, { directory: temporaryDirectory(t), work: 'nowhere' })
  const client = await server.client()
  const workspaceId = server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  const many = indexedAtOnce + 1_000
  await server.store.write(workspaceId, (tx) => {
    for (let n = 0; n < many; n++) {
      const body = { first_name: 'c', last_name: 'Test', metadata: { n: (n * 7) % many } }
      insert(contact, tx, readCreate(contact, tx, body), {})
    }
  })
  await declareField(client, 'n', 'number')
  const early = [await client.get(`${path}?group_by=metadata.n`), await client.get(`${path}?measure=sum:metadata.n`)]
  for (let turn = ''; turn !== 'idle'; ) turn = await runBatch(server.store, workspaceId)
  const pages = async (query: string) => {
    const found: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: JsonRecord = await client.get(
        `${path}?group_by=metadata.n&limit=1000${query}${cursor && `&cursor=${cursor}`}`,
      )
      found.push(...body.data.map(({ group, count }: JsonRecord) => [group['metadata.n'], count]))
      cursor = body.pagination.next_cursor
    }
    return found
  }

  for (const response of early) assertError(response, 503, 'SERVICE_UNAVAILABLE')
  const all = Array.from({ length: many }, (_, n) => [n, 1])
  assert.deepEqual(await pages(''), all)
  assert.deepEqual(await pages('&last_name=Test'), all)
  assert.deepEqual(await pages('&metadata.n[lt]=1200'), all.slice(0, 1_200))
  const { id } = (await client.get(fieldsPath)).body.data[0]
  const { next_cursor } = (await client.get(`${path}?group_by=metadata.n&limit=1`)).body.pagination
  await client.delete(`${fieldsPath}/${id}`)
  assertError(await client.get(`${path}?group_by=metadata.n&cursor=${next_cursor}`), 400, 'VALIDATION_ERROR')
})
