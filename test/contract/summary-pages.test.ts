import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

test('A summary of many distinct values has pages of at most 1,000 groups, which a cursor continues', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const workspaceId = server.store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', client.keyId)!
  const names = Array.from({ length: 2_300 }, (_, n) => `Company ${String(n).padStart(5, '0')}`)
  await server.store.write(workspaceId, (tx) => {
    for (const name of names) insert(organization, tx, readCreate(organization, tx, { name }), {})
  })
  const found: string[] = []
  const sizes: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/api-v1-organizations/summary?group_by=name&limit=99999${cursor && `&cursor=${cursor}`}`
    const { body }: JsonRecord = await client.get(path)
    found.push(...body.data.map(({ group }: JsonRecord) => group.name))
    sizes.push(body.data.length)
    assert.equal(body.pagination.limit, 1_000)
    cursor = body.pagination.next_cursor
  }

  assert.deepEqual(sizes, [1_000, 1_000, 300])
  assert.deepEqual(found, names)
})

test('Every page of a summary by two fields counts only records of its workspace that match and are not deleted', async (t) => {
  const server = await start(t)
  const acme = await server.company('Acme')
  const others = [(await server.company('Globex')).client, await acme.key({ environment: 'test' })]
  const add = async (client: Client) => {
    for (const title of ['a', 'b', 'c']) await make(client, 'deal', { title, value: 5, currency: 'EUR' })
  }
  for (const client of [acme.client, ...others]) await add(client)
  const { id } = await make(acme.client, 'deal', { title: 'c', value: 5, currency: 'EUR' })
  await acme.client.delete(`/api-v1-deals/${id}`)
  await make(acme.client, 'deal', { title: 'd', value: 1, currency: 'EUR' })
  const found: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = 'group_by=title&measure=count,sum:value&value=5&limit=1'
    const { body }: JsonRecord = await acme.client.get(`/api-v1-deals/summary?${query}${cursor && `&cursor=${cursor}`}`)
    found.push(...body.data)
    cursor = body.pagination.next_cursor
  }

  const groups = ['a', 'b', 'c'].map((title) => ({ group: { title, currency: 'EUR' }, count: 1, 'sum:value': 5 }))
  assert.deepEqual(found, groups)
})
