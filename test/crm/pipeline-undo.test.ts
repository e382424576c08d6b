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

/** A report without the order of its lists: a dry run need not try records again. */
function inOrder(report: Record<string, JsonRecord[]>): JsonRecord {
  const byId = (a: JsonRecord, b: JsonRecord) => (a.record_id < b.record_id ? -1 : 1)
  return Object.fromEntries(Object.entries(report).map(([name, list]) => [name, list.toSorted(byId)]))
}

/** Undoes a request as another one. Fails if something is in the way, or if its dry run says something else. */
async function undo(client: Client, requestId: string, as: string): Promise<void> {
  const dry = await client.post('/api-v1-undo', { request_id: requestId, dry_run: true })
  const { body } = await client.post('/api-v1-undo', { request_id: requestId }, { 'X-Request-Id': as })
  assert.deepEqual(inOrder(body.data), inOrder(dry.body.data))
  assert.deepEqual(body.data.errored, [])
}

/** The stages of each pipeline, in their order. */
async function stagesOf(client: Client): Promise<string[]> {
  const [{ data: pipelines }, { data: stages }] = [
    (await client.get('/api-v1-pipelines')).body,
    (await client.get('/api-v1-stages?limit=100')).body,
  ]
  const inside = (id: string) => stages.filter((each: JsonRecord) => each.pipeline_id === id)
  return pipelines.map(({ id, name }: JsonRecord) =>
    [name, ...inside(id).map((each: JsonRecord) => `${each.position} ${each.name}`)].join(', '),
  )
}

/** Undoes a visit, then that undo, and so on. */
async function undoBackAndForth(
  client: Client,
  read: (client: Client) => Promise<unknown>,
  [before, after]: readonly [unknown, unknown],
): Promise<void> {
  assert.notDeepEqual(before, after)
  for (const [requestId, as, expected] of [
    ['visit', 'first', before],
    ['first', 'second', after],
    ['second', 'third', before],
    ['third', 'fourth', after],
  ] as const) {
    await undo(client, requestId, as)
    assert.deepEqual(await read(client), expected, as)
  }
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

test('Stages of which some were deleted and others moved are in their former order after an undo, and in the later one after its undo', async (t) => {
  const { client } = await openServer(t)
  const { data: stages } = (await client.get('/api-v1-stages')).body
  const idOf = (name: string) => stages.find((each: JsonRecord) => each.name === name).id
  const before = await stagesOf(client)
  await client.delete(`/api-v1-stages/${idOf('Lead')}`, visit)
  await client.patch(`/api-v1-stages/${idOf('Proposal')}`, { position: 3 }, visit)
  await client.patch(`/api-v1-stages/${idOf('Won')}`, { position: 2 }, visit)
  await client.delete(`/api-v1-stages/${idOf('Negotiation')}`, visit)
  const after = await stagesOf(client)

  await undoBackAndForth(client, stagesOf, [before, after])
})

test('A stage that moved to a new pipeline while its own was deleted returns when that is undone, and moves again with the next undo', async (t) => {
  const { client } = await openServer(t)
  const [sales] = (await client.get('/api-v1-pipelines')).body.data
  const [, stage] = (await client.get('/api-v1-stages')).body.data
  const before = await stagesOf(client)
  const { id: pipeline_id } = (await client.post('/api-v1-pipelines', { name: 'Partners', is_default: true }, visit))
    .body.data
  await client.patch(`/api-v1-stages/${stage.id}`, { pipeline_id }, visit)
  await client.delete(`/api-v1-pipelines/${sales.id}`, visit)
  const after = await stagesOf(client)

  await undoBackAndForth(client, stagesOf, [before, after])
})

test('A part that was created and then deleted with its whole does not return with it when both are undone', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'pipelines', { name: 'Partners' })
  const deal_id = await create(client, 'deals', { title: 'Hampers' })
  const shown = async () => [await stagesOf(client), (await client.get('/api-v1-line-items')).body.pagination.total]
  const before = await shown()
  await client.post('/api-v1-stages', { name: 'Lead', pipeline_id: id }, visit)
  await client.post('/api-v1-line-items', { deal_id, name: 'Hamper', unit_price: 5 }, visit)
  for (const path of [`pipelines/${id}`, `deals/${deal_id}`]) await client.delete(`/api-v1-${path}`, visit)
  const after = await shown()

  await undoBackAndForth(client, shown, [before, after])
})
