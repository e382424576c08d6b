import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, openServer } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

const visit = { 'X-Request-Id': 'visit' }

/** Undoes the visit. Fails if its dry run says something else. */
async function undo(client: Client, force = false): Promise<JsonRecord> {
  const dry = await client.post('/api-v1-undo', { request_id: 'visit', force, dry_run: true })
  const { body } = await client.post('/api-v1-undo', { request_id: 'visit', force })
  assert.deepEqual(body.data, dry.body.data)
  return body.data
}

test('The time of completion stays with the status of a task that a colleague has changed since, unless the undo is forced', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'tasks', { title: 'Call', status: 'completed' })
  const read = async () => (await client.get(`/api-v1-tasks/${id}`)).body.data
  const { completed_at } = await read()
  await client.patch(`/api-v1-tasks/${id}`, { status: 'pending' }, visit)
  await client.patch(`/api-v1-tasks/${id}`, { status: 'in_progress' })

  const { kept } = await undo(client)
  const after = await read()
  await undo(client, true)
  const forced = await read()

  assert.deepEqual(kept[0].kept_fields.toSorted(), ['completed_at', 'status'])
  assert.deepEqual([after.status, after.completed_at], ['in_progress', null])
  assert.deepEqual([forced.status, forced.completed_at], ['completed', completed_at])
})

test('The time of completion is not kept without the status, if a colleague has completed the task once more', async (t) => {
  const { server, client } = await openServer(t)
  const id = await create(client, 'tasks', { title: 'Call' })
  await client.patch(`/api-v1-tasks/${id}`, { status: 'completed' }, visit)
  server.clock.advance(60_000)
  await client.patch(`/api-v1-tasks/${id}`, { status: 'completed' })

  const { reversed } = await undo(client)

  assert.deepEqual([reversed[0].fields, reversed[0].kept_fields], [['status'], []])
  assert.equal((await client.get(`/api-v1-tasks/${id}`)).body.data.completed_at, null)
})

test('The time at which a deal was closed stays with the stage to which a colleague has moved it since', async (t) => {
  const { server, client } = await openServer(t)
  const stage = (name: string, kind: string) => create(client, 'stages', { name, kind })
  const [won, lost, gone] = [
    await stage('Sold', 'won'),
    await stage('Lost to another', 'lost'),
    await stage('Gone', 'lost'),
  ]
  const id = await create(client, 'deals', { title: 'Hampers', stage_id: won })
  server.clock.advance(60_000)
  await client.patch(`/api-v1-deals/${id}`, { stage_id: lost, title: 'Baskets' }, visit)
  const { updated_at } = (await client.get(`/api-v1-deals/${id}`)).body.data
  await client.patch(`/api-v1-deals/${id}`, { stage_id: gone })

  const { reversed } = await undo(client)

  assert.deepEqual([reversed[0].fields, reversed[0].kept_fields], [['title'], ['stage_id']])
  const { body } = await client.get(`/api-v1-deals?closed_at[gte]=${updated_at}`)
  assert.deepEqual(
    body.data.map((each: JsonRecord) => each.id),
    [id],
  )
})

test('A stage that a colleague has moved to another pipeline since keeps its position there', async (t) => {
  const { client } = await openServer(t)
  const pipeline = (name: string) => create(client, 'pipelines', { name })
  const [one, two, three] = [await pipeline('One'), await pipeline('Two'), await pipeline('Three')]
  for (const pipeline_id of [two, three]) await create(client, 'stages', { name: 'First', pipeline_id })
  const id = await create(client, 'stages', { name: 'Demo', pipeline_id: one })
  await client.patch(`/api-v1-stages/${id}`, { pipeline_id: two, color: '#000000' }, visit)
  await client.patch(`/api-v1-stages/${id}`, { pipeline_id: three })

  await undo(client)

  const { data } = (await client.get(`/api-v1-stages/${id}`)).body
  assert.deepEqual([data.pipeline_id, data.position], [three, 1])
})
