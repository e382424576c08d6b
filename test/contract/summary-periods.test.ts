import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { isTested } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const skip = !isTested('/api-v1-deals') && 'KONTOR_TEST_RESOURCES does not name deals'

async function groupsOf(client: Client, path: string): Promise<JsonRecord[]> {
  const { status, body } = await client.get(path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

test('Timestamps are grouped by the periods between given moments; those outside, and empty ones, are in the group null', {
  skip,
}, async (t) => {
  const { clock, company } = await start(t) // at noon in June
  const { client } = await company('Acme')
  for (let n = 0; n < 5; n++) {
    await make(client, 'deal', { title: `Deal ${n}` })
    clock.advance(86_400_000)
  }
  const path = '/api-v1-deals/summary?group_by=created_at:period&periods='

  const groups = await groupsOf(client, `${path}2026-06-16T14:00:00%2B02:00,2026-06-17T12:00:00.001Z, 2026-06-19`)

  assert.deepEqual(
    groups.map(({ group, count }) => [group['created_at:period'], count]),
    [
      [null, 2],
      ['2026-06-16T12:00:00.000Z', 2],
      ['2026-06-17T12:00:00.001Z', 1],
    ],
  )
  const { body } = await client.get(`${path}2026-06-16,2026-06-17,2026-06-18&limit=1`)
  const next = `${path}2026-06-16,2026-06-17,2026-06-18&cursor=${body.pagination.next_cursor}`
  assert.deepEqual(
    (await groupsOf(client, next)).map(({ count }) => count),
    [1, 1],
  )
  assertError(await client.get(next.replace('06-17', '06-17T01:00')), 400, 'VALIDATION_ERROR', undefined, ['cursor'])
  const closed = await groupsOf(client, path.replace('created_at', 'closed_at').concat('2026-06-01,2026-07-01'))
  assert.deepEqual(closed, [{ group: { 'closed_at:period': null }, count: 5 }])
})

test('Periods that are not ascending moments, or that no group uses, are 400 and named', { skip }, async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const many = Array.from({ length: 61 }, (_, n) => 2000 + n).map((year) => `${year}-01-01`)
  for (const periods of ['', 'x', '2026-06-01', '2026-06-02,2026-06-01', '2026-06-01,2026-06-01', `${many}`]) {
    const path = `/api-v1-deals/summary?group_by=created_at:period&periods=${periods}`
    assertError(await client.get(path), 400, 'VALIDATION_ERROR', undefined, ['periods'])
  }
  for (const name of ['created_at:period', 'expected_close_date:period', 'title:period']) {
    const { status } = await client.get(`/api-v1-deals/summary?group_by=${name}`)
    assert.equal(status, 400, name)
  }
})
