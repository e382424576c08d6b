import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { randomOf } from '../support/random.ts'
import { start } from '../support/start.ts'
import { newOwner } from '../support/visitor.ts'

const path = '/api-v1-exchange-rates'
const summary = (query: string) => `/api-v1-deals/summary?measure=converted:value,converted_weighted:value${query}`

async function rate(client: Client, currency: string, value: number, valid_from: string): Promise<string> {
  const { status, body } = await client.post(path, { currency, rate: value, valid_from })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

async function rowsOf(client: Client, query = '') {
  const { status, body } = await client.get(summary(query))
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

async function setUp(t: TestContext) {
  const server = await start(t)
  const company = await server.company('Acme')
  return { server, company, client: company.client }
}

test('Amounts are added up in the currency of the company by the latest rates that are valid, and the others are named', async (t) => {
  const { client } = await setUp(t)
  await rate(client, 'USD', 0.9, '2020-01-01')
  await rate(client, 'usd', 0.95, '2020-02-01')
  await rate(client, 'USD', 7, '2999-01-01')
  for (const [value, currency, probability] of [
    [100, 'EUR', 50],
    [10.1, 'USD', 10],
    [0.2, 'USD', null],
    [5, 'CHF', 50],
    [6, 'CHF', null],
    [7, 'XTS', null],
  ]) {
    await make(client, 'deal', { value, currency, probability })
  }

  assert.deepEqual(await rowsOf(client), [
    {
      group: {},
      count: 6,
      'converted:value': 109.79, // 100 + 10.3 × 0.95, rounded once
      'converted_weighted:value': 50.96,
      unconverted: [
        { currency: 'CHF', count: 2, sum: 11 },
        { currency: 'XTS', count: 1, sum: 7 },
      ],
    },
  ])
})

test('Each group has its own amounts, beside sums per currency', async (t) => {
  const { client } = await setUp(t)
  await rate(client, 'USD', 0.5, '2020-01-01')
  for (const [value, currency, expected_close_date] of [
    [1, 'EUR', '2026-01-05'],
    [2, 'USD', '2026-01-06'],
    [4, 'USD', '2026-02-01'],
    [8, 'EUR', null],
  ]) {
    await make(client, 'deal', { value, currency, expected_close_date })
  }

  const months = await rowsOf(client, '&group_by=expected_close_date:month')
  const shown = months.map((row: Record<string, unknown>) => [
    Object.values(row.group as object)[0],
    row.count,
    row['converted:value'],
  ])
  assert.deepEqual(shown, [
    [null, 1, 8],
    ['2026-01-01', 2, 2],
    ['2026-02-01', 1, 2],
  ])
  const { body } = await client.get('/api-v1-deals/summary?measure=sum:value,converted:value')
  assert.deepEqual(
    body.data.map((row: Record<string, unknown>) => [row.group, row['sum:value'], row['converted:value']]),
    [
      [{ currency: 'EUR' }, 9, 9],
      [{ currency: 'USD' }, 6, 3],
    ],
  )
  const pages = await client.get(`${summary('&group_by=expected_close_date:month&limit=2')}`)
  assert.deepEqual(pages.body.data, months.slice(0, 2))
  const next = await client.get(
    `${summary('&group_by=expected_close_date:month&limit=2')}&cursor=${pages.body.pagination.next_cursor}`,
  )
  assert.deepEqual(next.body.data, months.slice(2))
})

test('A rate becomes valid at midnight in the time zone of the company, without a write', async (t) => {
  const { server } = await setUp(t)
  const owner = await newOwner(server)
  assert.equal(
    (await owner.patch('/console/company', { currency: 'jpy', time_zone: 'Asia/Tokyo' })).body.data.currency,
    'JPY',
  )
  server.clock.jump(Date.parse('2026-03-01T14:59:59Z') - server.clock.now())
  for (const [value, valid_from] of [
    [160, '2026-01-01'],
    [170.25, '2026-03-02'],
  ]) {
    const { status } = await owner.post(path, { currency: 'EUR', rate: value, valid_from })
    assert.equal(status, 201)
  }
  assert.equal((await owner.post('/api-v1-deals', { title: 'Ramen', value: 10, currency: 'EUR' })).status, 201)
  const converted = async () => (await owner.get(summary(''))).body.data[0]['converted:value']

  assert.equal(await converted(), 1_600)
  server.clock.advance(1_000)
  assert.equal(await converted(), 1_703) // 1,702.5, and a yen has no smaller unit
})

test('The test data have the rates of the company, and only admins change them', async (t) => {
  const { company, client } = await setUp(t)
  const testKey = await company.key({ environment: 'test' })
  const reader = await company.key({ environment: 'test', scopes: ['read:deals'] })
  const id = await rate(client, 'USD', 0.5, '2020-01-01')

  assert.equal((await reader.get(`${path}/${id}`)).body.data.rate, 0.5)
  assertError(await reader.patch(`${path}/${id}`, { rate: 1 }), 403, 'INSUFFICIENT_PERMISSIONS')
  await make(testKey, 'deal', { value: 10, currency: 'USD' })
  assert.equal((await rowsOf(reader))[0]['converted:value'], 5)
  assert.equal((await testKey.patch(`${path}/${id}`, { rate: 0.6 })).status, 200)
  assert.equal((await rowsOf(reader))[0]['converted:value'], 6)
  assert.equal((await client.get(`${path}/${id}`)).body.data.rate, 0.6)
  assert.equal((await client.get(path)).body.pagination.total, 1)
  assert.equal((await testKey.get(path)).body.pagination.total, 1)
})

test('Rates are in the log of the live data, for admins alone, and a change of one can be undone', async (t) => {
  const { company, client } = await setUp(t)
  const [testKey, reader] = [await company.key({ environment: 'test' }), await company.key({ scopes: ['read:all'] })]
  const id = await rate(client, 'USD', 0.5, '2020-01-01')
  const patched = await client.patch(`${path}/${id}`, { rate: 0.75 })
  const types = async (by: Client) => {
    return (await readChanges(by))
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('exchange_rate'))
  }

  assert.deepEqual(await types(client), ['exchange_rate.created', 'exchange_rate.updated'])
  assert.deepEqual([await types(reader), await types(testKey)], [[], []])
  const undone = await client.post('/api-v1-undo', { request_id: patched.headers.get('x-request-id') })
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
  assert.equal((await client.get(`${path}/${id}`)).body.data.rate, 0.5)
  assert.equal((await client.delete(`${path}/${id}`)).status, 200)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
  assert.deepEqual((await rowsOf(client))[0].unconverted, [])
})

test('A currency has one rate for each day, which is a number above 0 with at most 12 decimals', async (t) => {
  const { client } = await setUp(t)
  await rate(client, 'USD', 0.000000000001, '2020-01-01')

  assertError(await client.post(path, { currency: 'usd', rate: 1, valid_from: '2020-01-01' }), 409, 'ALREADY_EXISTS')
  await rate(client, 'USD', 1, '2020-01-02')
  for (const value of [0, -1, 1e10, 0.0000000000001]) {
    const refused = await client.post(path, { currency: 'CHF', rate: value, valid_from: '2020-01-01' })
    assertError(refused, 400, 'VALIDATION_ERROR', undefined, ['rate'])
    assert.equal(refused.body.error.details[0].code, 'OUT_OF_RANGE')
  }
})

test('Converted sums of random deals are those of integers, rounded once', async (t) => {
  const { client } = await setUp(t)
  const random = randomOf(1)
  const rates = { USD: 923_456n, CHF: 1_043_217n, VND: 36n } // in millionths
  for (const [currency, millionths] of Object.entries(rates))
    await rate(client, currency, Number(millionths) / 1e6, '2020-01-01')
  let sum = 0n // in units of 10 to the power of -8
  for (let n = 0; n < 200; n++) {
    const currency = random.pick([...Object.keys(rates), 'EUR'])
    const cents = random.below(11_000_000) - 1_000_000
    await make(client, 'deal', { value: cents / 100, currency })
    sum += BigInt(cents) * (currency === 'EUR' ? 1_000_000n : rates[currency as 'USD'])
  }
  const half = sum < 0n ? -500_000n : 500_000n

  assert.equal((await rowsOf(client))[0]['converted:value'], Number((sum + half) / 1_000_000n) / 100)
})
