import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, openServer } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

const visit = { 'X-Request-Id': 'visit' }

/** The pipelines in their order; the default one in capitals. */
async function orderOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/api-v1-pipelines')
  return body.data.map(({ name, is_default }: JsonRecord) => (is_default ? name.toUpperCase() : name))
}

/** Undoes a request as another one. Fails if something is in the way, or if its dry run says something else. */
async function undo(client: Client, requestId: string, as: string): Promise<void> {
  const dry = await client.post('/api-v1-undo', { request_id: requestId, dry_run: true })
  const { body } = await client.post('/api-v1-undo', { request_id: requestId }, { 'X-Request-Id': as })
  assert.deepEqual(body.data, dry.body.data)
  assert.deepEqual(body.data.errored, [])
}

test('A pipeline that was created as the default is the default again when its undo is undone', async (t) => {
  const { client } = await openServer(t)
  await client.post('/api-v1-pipelines', { name: 'Partners', is_default: true }, visit)

  await undo(client, 'visit', 'first')
  const without = await orderOf(client)
  await undo(client, 'first', 'second')

  assert.deepEqual(without, ['SALES'])
  assert.deepEqual(await orderOf(client), ['Sales', 'PARTNERS'])
})

test('A pipeline that was created before others, of which one then moved, is there again when its undo is undone', async (t) => {
  const { client } = await openServer(t)
  const [{ id }] = (await client.get('/api-v1-pipelines')).body.data
  for (const name of ['Events', 'Tenders']) await create(client, 'pipelines', { name })
  await client.post('/api-v1-pipelines', { name: 'Partners', position: 0 }, visit)
  await client.patch(`/api-v1-pipelines/${id}`, { position: 3 }, visit)
  const before = await orderOf(client)

  await undo(client, 'visit', 'first')
  const without = await orderOf(client)
  await undo(client, 'first', 'second')

  assert.deepEqual(without, ['SALES', 'Events', 'Tenders'])
  assert.deepEqual(await orderOf(client), before)
})
