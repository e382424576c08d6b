import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, openServer } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

const visit = { 'X-Request-Id': 'visit' }

/** Names and places of pipelines and stages. */
async function shown(client: Client): Promise<unknown> {
  const [pipelines, stages] = await Promise.all([client.get('/api-v1-pipelines'), stagesOf(client)])
  return [
    pipelines.body.data.map(({ name }: JsonRecord) => name),
    stages.map(({ name, position, pipeline_id }) => `${pipeline_id} ${position} ${name}`),
  ]
}

async function stagesOf(client: Client): Promise<JsonRecord[]> {
  return (await client.get('/api-v1-stages?limit=100')).body.data
}

async function undo(client: Client, requestId: string, as: string): Promise<Record<string, JsonRecord[]>> {
  const { body } = await client.post('/api-v1-undo', { request_id: requestId }, { 'X-Request-Id': as })
  assert.deepEqual(body.data.errored, [])
  return body.data
}

/** Takes the visit back, and then that undo. */
async function assertUndoneAndBack(client: Client, before: unknown): Promise<void> {
  const after = await shown(client)
  await undo(client, 'visit', 'first')
  assert.deepEqual(await shown(client), before)
  await undo(client, 'first', 'second')
  assert.deepEqual(await shown(client), after)
}

async function createPartners(client: Client): Promise<string> {
  const id = await create(client, 'pipelines', { name: 'Partners' })
  for (const name of ['Lead', 'Talks', 'Won']) await create(client, 'stages', { name, pipeline_id: id })
  return id
}

/** Creates a pipeline that gets the stages of another one, in the opposite order, and replaces it. Returns its id. */
async function replace(client: Client, old: string): Promise<string> {
  const { id: next } = (await client.post('/api-v1-pipelines', { name: 'Next' }, visit)).body.data
  for (const { id, pipeline_id } of await stagesOf(client))
    if (pipeline_id === old) await client.patch(`/api-v1-stages/${id}`, { pipeline_id: next, position: 0 }, visit)
  assert.equal((await client.delete(`/api-v1-pipelines/${old}`, visit)).status, 200)
  return next
}

test('Stages that moved to a pipeline that replaces theirs, with its name, are never lost by undos', async (t) => {
  const { client } = await openServer(t)
  const old = await createPartners(client)
  const before = await shown(client)
  const next = await replace(client, old)
  await client.patch(`/api-v1-pipelines/${next}`, { name: 'Partners' }, visit)

  await assertUndoneAndBack(client, before)
})

test('An undo of more changes than a transaction takes loses no stage, and brings all back into their order', async (t) => {
  const { client } = await openServer(t)
  const old = await createPartners(client)
  const before = await shown(client)
  const next = await replace(client, old)
  for (let n = 0; n < 1_000; n++) await client.patch(`/api-v1-pipelines/${next}`, { name: `Name ${n}` }, visit)

  await assertUndoneAndBack(client, before)
})

test('Stages that were not there before leave a restored pipeline without moving each other', async (t) => {
  const { client } = await openServer(t)
  const count = 30
  const id = await create(client, 'pipelines', { name: 'Partners' })
  for (let n = 0; n < count; n++) await client.post('/api-v1-stages', { name: `${n}`, pipeline_id: id }, visit)
  await client.delete(`/api-v1-pipelines/${id}`, visit)

  await undo(client, 'visit', 'first')

  const { data } = (await client.get('/api-v1-changes?limit=1000&request_id=first')).body
  const own = data.filter(({ request_id }: JsonRecord) => request_id === 'first')
  assert.ok(own.length <= 2 * count + 1, `${own.length} changes`)
})
