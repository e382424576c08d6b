import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { comparedOf, tested } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const summarized = tested.filter(({ counted, ofCompany, name }) => counted && !ofCompany && name !== 'webhook')
const has = (name: string) => summarized.some((each) => each.name === name)

async function groupsOf(client: Client, path: string): Promise<JsonRecord[]> {
  const { status, body } = await client.get(path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

for (const resource of summarized) {
  const path = `/${resource.path}/summary`

  test(`${path} counts what the list shows, by each field that can be filtered`, async (t) => {
    const { client } = await (await start(t)).company('Acme')
    await make(client, resource.name)
    await make(client, resource.name)
    const { body } = await client.get(`/${resource.path}`)

    for (const field of resource.filters) {
      const groups = await groupsOf(client, `${path}?group_by=${field}`)

      if (Object.hasOwn(resource.unshown, field)) {
        assert.equal(
          groups.reduce((sum, { count }) => sum + count, 0),
          body.data.length,
          field,
        )
        continue
      }
      const values = body.data.map((record: JsonRecord) => comparedOf(record[field]))
      const counts = groups.map(({ group, count }) => [group[field], count])
      const expected = [...new Set(values)].map((value) => [
        value,
        values.filter((each: unknown) => each === value).length,
      ])
      const byText = (one: unknown[], other: unknown[]) => (String(one[0]) < String(other[0]) ? -1 : 1)
      assert.deepEqual(counts.sort(byText), expected.sort(byText), field)
    }
  })

  test(`${path} needs the scope of the list, and another company's records do not count`, async (t) => {
    const server = await start(t)
    const [acme, other] = [await server.company('Acme'), await server.company('Other')]
    await make(other.client, resource.name)
    const reader = await acme.key({ scopes: [resource.scopes.read] })
    const writer = await acme.key({ scopes: [resource.scopes.write] })
    const testKey = await acme.key({ environment: 'test' })

    const before = await groupsOf(reader, path)
    await make(acme.client, resource.name)
    const after = await groupsOf(reader, path)

    assert.equal(after[0].count - before[0].count, 1)
    assert.deepEqual(await groupsOf(testKey, path), before)
    assertError(await writer.get(path), 403, 'INSUFFICIENT_PERMISSIONS')
  })
}

if (has('deal')) {
  test('Sums of money are per currency, weighted sums use the probability, and decimals are exact in any order', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const deal = (value: number, probability: number | null, currency = 'EUR') =>
      make(client, 'deal', { title: 'Hampers', value, probability, currency })
    for (const [value, probability] of [
      [0.1, 50],
      [0.2, null],
      [1e9, 33.3],
      [-1e9, 33.3],
      [0.7, 10],
    ] as const)
      await deal(value, probability)
    await deal(12.5, 100, 'CHF')

    const [chf, eur] = await groupsOf(client, '/api-v1-deals/summary?measure=sum:value,weighted:value')
    assert.deepEqual(chf, { group: { currency: 'CHF' }, count: 1, 'sum:value': 12.5, 'weighted:value': 12.5 })
    assert.deepEqual([eur.group, eur.count], [{ currency: 'EUR' }, 5])
    assert.equal(eur['sum:value'], 1)

    const small = '/api-v1-deals/summary?measure=sum:value,weighted:value&value[lt]=1&value[gt]=0'
    assert.deepEqual(await groupsOf(client, small), [
      { group: { currency: 'EUR' }, count: 3, 'sum:value': 1, 'weighted:value': 0.12 },
    ])
    assert.deepEqual(await groupsOf(client, '/api-v1-deals/summary?measure=sum:value&value=5'), [])
    const both = await groupsOf(client, '/api-v1-deals/summary?measure=sum:value&group_by=currency&currency=CHF')
    assert.deepEqual(both, [{ group: { currency: 'CHF' }, count: 1, 'sum:value': 12.5 }])
  })

  test('A sum beyond the range of a double is null, and whole numbers up to 2^53 are exact', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    for (const value of [1.7e308, 1.7e308]) await make(client, 'deal', { title: 'Huge', value, currency: 'USD' })
    for (const value of [9_007_199_254_740_000, 991]) await make(client, 'deal', { title: 'Whole', value })

    const groups = await groupsOf(client, '/api-v1-deals/summary?measure=sum:value,weighted:value&group_by=title')

    assert.deepEqual(groups, [
      { group: { title: 'Huge', currency: 'USD' }, count: 2, 'sum:value': null, 'weighted:value': 0 },
      { group: { title: 'Whole', currency: 'EUR' }, count: 2, 'sum:value': 9_007_199_254_740_991, 'weighted:value': 0 },
    ])
  })

  test('Dates are grouped by UTC day, week from Monday and month, named by their first day; null groups are null', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const days = ['2026-11-30', '2026-12-06', '2026-12-07', null, '2027-01-03']
    for (const day of days) await make(client, 'deal', { title: 'Hampers', expected_close_date: day })
    const by = async (unit: string) => {
      const name = `expected_close_date:${unit}`
      const groups = await groupsOf(client, `/api-v1-deals/summary?group_by=${name}`)
      return groups.map(({ group, count }) => [group[name], count])
    }

    assert.deepEqual(
      await by('day'),
      [...days].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)).map((day) => [day, 1]),
    )
    assert.deepEqual(await by('week'), [
      [null, 1],
      ['2026-11-30', 2],
      ['2026-12-07', 1],
      ['2026-12-28', 1],
    ])
    assert.deepEqual(await by('month'), [
      [null, 1],
      ['2026-11-01', 1],
      ['2026-12-01', 2],
      ['2027-01-01', 1],
    ])
  })

  test('Pages of groups follow each other by cursor: each group once, also with nulls and two fields', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    for (const [title, probability] of [
      ['b', 1],
      ['B', null],
      ['a', null],
      ['a', 2],
      ['ä', 2],
      ['a', 2],
    ] as const)
      await make(client, 'deal', { title, probability })
    const path = '/api-v1-deals/summary?group_by=probability,title&limit='

    const all = await groupsOf(client, `${path}5000`)
    const found: JsonRecord[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: JsonRecord = await client.get(`${path}1${cursor && `&cursor=${cursor}`}`)
      assert.deepEqual(body.pagination.has_more, body.pagination.next_cursor !== null)
      found.push(...body.data)
      cursor = body.pagination.next_cursor
    }

    assert.equal(all.length, 5)
    assert.deepEqual(found, all)
    const { body } = await client.get(`${path}1`)
    const of = (query: string) => client.get(`/api-v1-deals/summary?${query}&cursor=${body.pagination.next_cursor}`)
    for (const query of ['group_by=title', 'group_by=probability,title&title=a', 'group_by=title,probability'])
      assertError(await of(query), 400, 'VALIDATION_ERROR', undefined, ['cursor'])
  })

  test('A parameter of a summary that is not valid is 400 and named', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const cases = {
      group_by: [
        '',
        'nothing',
        'metadata',
        'title:day',
        'created_at:year',
        'title,value,currency',
        'title,title',
        'title,',
      ],
      measure: ['', 'sum:title', 'sum', 'weighted:probability', 'count,count', 'avg:value'],
      periods: ['', '2026-06-01,2026-07-01'],
      limit: ['0', '-1', 'x', '1.5'],
      cursor: ['', 'x'],
      sort: ['title'],
      page: ['1'],
      value: ['much'],
      unknown: ['1'],
    }
    for (const [name, values] of Object.entries(cases)) {
      for (const value of values) {
        assertError(await client.get(`/api-v1-deals/summary?${name}=${value}`), 400, 'VALIDATION_ERROR', undefined, [
          name,
        ])
      }
    }
    assertError(
      await client.get('/api-v1-deals/summary?measure=count&measure=count'),
      400,
      'VALIDATION_ERROR',
      undefined,
      ['measure'],
    )
    assertError(await client.post('/api-v1-deals/summary', {}), 405, 'INVALID_REQUEST')
    assertError(await client.get('/api-v1-users/summary'), 404, 'NOT_FOUND')
  })
}

if (has('contact')) {
  test('A summary takes every filter of the list, also those over emails', async (t) => {
    const { client } = await (await start(t)).company('Acme')
    await make(client, 'contact', {
      first_name: 'Ada',
      emails: [{ email: 'ada@acme.example' }, { email: 'ada@home.example' }],
    })
    await make(client, 'contact', { first_name: 'Grace', is_primary: false })

    const path = '/api-v1-contacts/summary?group_by=is_primary'
    assert.equal((await groupsOf(client, '/api-v1-contacts/summary?email[like]=ada'))[0].count, 1)
    assert.equal((await groupsOf(client, '/api-v1-contacts/summary?filter[first_name][in]=Ada,Grace'))[0].count, 2)
    assert.deepEqual(await groupsOf(client, path), [{ group: { is_primary: false }, count: 2 }])
    assertError(await client.get('/api-v1-contacts/summary?group_by=email'), 400, 'VALIDATION_ERROR', undefined, [
      'group_by',
    ])
  })
}
