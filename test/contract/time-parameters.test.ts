import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { document, isValid, resolve } from '../support/described.ts'
import { start } from '../support/start.ts'

const days = ['2026-01-31', '2024-02-29', '2026-02-29', '2026-02-30', '2026-13-01', '2026-1-31', '31.01.2026', '']
const times = [
  ...[
    'T10:00:00Z',
    't10:00z',
    'T10:00',
    'T10:00+02',
    'T10:00-0230',
    'T10:00:59.123456789+02:30',
    'T24:00',
    'T24:00:00.0',
  ],
  ...['T10', 'Tnoon', 'T24:01', 'T25:00', 'T10:60', 'T10:00:00.1234567890', 'T10:00+24', 'T10:00 Z', ' 10:00'],
].map((time) => `2026-01-31${time}`)
const path = '/api-v1-deals'

test('The patterns of filters by time match what the server accepts', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const declared = document.paths[path]!.get!.parameters.map(resolve)
  const names = ['created_at', 'closed_at[ne]', 'closed_at[gte]', 'updated_at[in]', 'expected_close_date']
  const own = (name: string) => [...days, ...times, ...(name.endsWith('[in]') ? lists : [])]

  for (const name of [...names, 'expected_close_date[in]']) {
    const { schema } = declared.find((each) => each.name === `filter[${name.replace('[', '][')}` || each.name === name)
    for (const value of own(name)) {
      const { status } = await client.get(`${path}?${new URLSearchParams({ [name]: value })}`)
      assert.equal(isValid(schema, value), status === 200, `${name}: ${value}`)
    }
  }
})

test('A filter by a time whose + was not encoded is refused with how to write it', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const message = 'created_at must be an ISO 8601 timestamp or date (a + in a query is written %2B)'
  assertError(await client.get(`${path}?created_at=2026-01-31T10:00+02:00`), 400, 'VALIDATION_ERROR', message)
  assert.equal((await client.get(`${path}?created_at=2026-01-31T10:00%2B02:00`)).status, 200)
})

const lists = [
  '2026-01-31T10:00:00.5Z,2026-02-01',
  '2026-01-31T10:00:00\\,5Z',
  '2026-01-31T10:00:00,5Z',
  '2026-01-31,2026-02-01',
  '2026-01-31,2026-02-29',
  '2026-01-31,',
]
