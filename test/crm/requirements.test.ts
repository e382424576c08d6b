import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestOf } from '../support/changes.ts'
import { type ApiResponse, assertError } from '../support/client.ts'
import { ended, resultsOf, submit } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { both, complete, missingIn, open } from './requiring.ts'

test('A deal enters a stage only with what it requires: created, patched, moved and upserted', async (t) => {
  const { client, proposal } = await open(await start(t))
  const deal = await make(client, 'deal', { title: 'Hampers', metadata: { code: 'a' } })
  const to = { stage_id: proposal }

  const refused = [
    await client.post('/api-v1-deals', { title: 'Baskets', ...to }),
    await client.patch(`/api-v1-deals/${deal.id}`, to),
    await client.patch(`/api-v1-deals/${deal.id}/stage`, to),
    await client.put('/api-v1-deals?match_on=metadata.code', { title: 'New', metadata: { code: 'b' }, ...to }),
    await client.put('/api-v1-deals?match_on=metadata.code', { title: 'Old', metadata: { code: 'a' }, ...to }),
  ]

  for (const response of refused) assert.deepEqual(missingIn(response), both)
  assert.equal(refused[0]!.body.error.details[0].message, 'Expected close date is required in the stage "Proposal"')
  assert.equal((await client.get('/api-v1-deals')).body.pagination.total, 1)
  assert.equal((await client.post('/api-v1-deals', { title: 'Baskets', ...to, ...complete })).status, 201)
  assert.equal((await client.patch(`/api-v1-deals/${deal.id}`, { ...to, ...complete })).status, 200)
})

test('A required field that is called like what every object has is missing without a value', async (t) => {
  const client = await (await start(t)).client()
  const keys = ['constructor', 'toString', 'valueOf']
  for (const key of keys) await make(client, 'field', { resource: 'deal', key, type: 'text' })
  const requires = keys.map((key) => `metadata.${key}`)
  const stage = await make(client, 'stage', { name: 'Built', requires })
  const deal = await make(client, 'deal')
  const to = { stage_id: stage.id }

  assert.deepEqual(missingIn(await client.patch(`/api-v1-deals/${deal.id}`, to)), requires)
  const metadata = Object.fromEntries(keys.map((key) => [key, 'Ada']))
  assert.equal((await client.patch(`/api-v1-deals/${deal.id}`, { ...to, metadata })).status, 200)
})

test('An import reports what each record lacks for its stage, with the code, and so does its job', async (t) => {
  const { client, proposal } = await open(await start(t))

  const path = await submit(client, 'deals', [
    { title: 'Lacks both', stage_id: proposal },
    { title: 'Has both', stage_id: proposal, ...complete },
    { title: 'Lacks one', stage_id: proposal, expected_close_date: '2026-12-01' },
    { title: '' },
    'no object',
  ])
  const job = await ended(client, path)
  const results = await resultsOf(client, path)

  const shown = results.map(({ outcome, errors }) => [outcome, ...errors.map((e: JsonRecord) => [e.field, e.code])])
  assert.deepEqual(shown, [
    ['failed', ['expected_close_date', 'REQUIRED'], ['metadata.budget', 'REQUIRED']],
    ['created'],
    ['failed', ['metadata.budget', 'REQUIRED']],
    ['failed', ['title', 'REQUIRED']],
    ['failed', [undefined, 'INVALID_TYPE']],
  ])
  assert.deepEqual(
    job.errors.map(({ code }: JsonRecord) => code),
    ['REQUIRED', 'REQUIRED', 'REQUIRED', 'REQUIRED', 'INVALID_TYPE'],
  )
})

test('Null, blank text and an empty list are no values; zero and false are', async (t) => {
  const server = await start(t)
  const { client, proposal } = await open(server, ['probability', 'metadata.budget'])
  const enter = (probability: number | null, budget: unknown) =>
    client.post('/api-v1-deals', { title: 'Hampers', stage_id: proposal, probability, metadata: { budget } })

  for (const empty of [null, '', '  ', []]) assert.deepEqual(missingIn(await enter(5, empty)), ['metadata.budget'])
  assert.deepEqual(missingIn(await enter(null, 0)), ['probability'])
  for (const given of [0, false, 'a', ['a']]) assert.equal((await enter(0, given)).status, 201)
})

test('`people` requires somebody on the deal', async (t) => {
  const { client, proposal } = await open(await start(t), ['people', 'organization_id'])
  const { id: contact_id } = await make(client, 'contact')
  const { id: organization_id } = await make(client, 'organization')
  const enter = (fields: object) => client.post('/api-v1-deals', { title: 'Hampers', stage_id: proposal, ...fields })

  assert.deepEqual(missingIn(await enter({})), ['organization_id', 'people'])
  assert.equal((await enter({ contact_id, organization_id })).status, 201)
})

test('A deal that is in the stage may lose what it requires, return from the trash, and meet a new requirement', async (t) => {
  const { client, proposal } = await open(await start(t))
  const { id } = await make(client, 'deal', { title: 'Hampers', stage_id: proposal, ...complete })
  const path = `/api-v1-deals/${id}`

  assert.equal((await client.patch(path, { expected_close_date: null, stage_id: proposal })).status, 200)
  const required = await client.patch(`/api-v1-stages/${proposal}`, { requires: [...both, 'probability'] })
  assert.deepEqual(required.body.data.requires, [...both, 'probability'])
  assert.equal((await client.patch(path, { title: 'Baskets' })).status, 200)
  await client.delete(path)
  assert.equal((await client.post(`/api-v1-trash/${id}/restore`, {})).status, 200)
})

test('An undo that would bring a deal into a stage without what it requires is errored with the reason, foreseen too', async (t) => {
  const { client, proposal, lead } = await open(await start(t))
  const { id } = await make(client, 'deal', { title: 'Hampers', stage_id: proposal, ...complete })
  await client.patch(`/api-v1-deals/${id}`, { stage_id: lead })
  const seq = await newestOf(client, id)
  await client.patch(`/api-v1-deals/${id}`, { expected_close_date: null })
  const reason = 'Expected close date is required in the stage "Proposal"'

  for (const dry_run of [true, false]) {
    const { body } = await client.post('/api-v1-undo', { seq, dry_run })
    const [{ code, message }] = body.data.errored
    assert.deepEqual([code, message], ['VALIDATION_ERROR', reason], `dry_run: ${dry_run}`)
    assert.deepEqual(body.data.reversed, [])
  }
  await client.patch(`/api-v1-deals/${id}`, { expected_close_date: '2026-12-24' })
  assert.equal((await client.post('/api-v1-undo', { seq })).body.data.reversed.length, 1)
})

test('A stage requires only what bodies can set, declared fields and people', async (t) => {
  const { client, proposal } = await open(await start(t))
  const path = `/api-v1-stages/${proposal}`

  for (const name of ['size', 'stage_id', 'closed_at', 'created_at', 'pipeline_id', 'metadata.other', 'metadata']) {
    const response = await client.patch(path, { requires: ['value', name] })
    assertError(response, 400, 'VALIDATION_ERROR')
    const [{ field, code, message }] = response.body.error.details
    assert.deepEqual([field, code], ['requires', 'INVALID_VALUE'])
    assert.match(message, new RegExp(`cannot name "${name}"; allowed: title, value,.* people, metadata.budget`))
  }
  const { status, body } = await client.post('/api-v1-stages', { name: 'Demo', requires: [' people ', 'people'] })
  assert.deepEqual([status, body.data.requires, body.data.stale_after_days], [201, ['people'], null])
})

test('A declared field that a stage requires is not deleted, also not by an undo, until the stage is', async (t) => {
  const { client, proposal } = await open(await start(t))
  const { data } = (await client.get('/api-v1-fields?key=budget')).body
  const path = `/api-v1-fields/${data[0].id}`

  const refused = await client.delete(path)
  assertError(refused, 409, 'CONFLICT')
  assert.match(refused.body.error.message, /metadata.budget is required by "Proposal"/)
  const undo = await client.post('/api-v1-undo', { seq: await newestOf(client, data[0].id) })
  assert.equal(undo.body.data.errored[0].code, 'CONFLICT')

  await client.delete(`/api-v1-stages/${proposal}`)
  assert.equal((await client.delete(path)).status, 200)
  const restored = await client.post(`/api-v1-trash/${proposal}/restore`, {})
  assertError(restored, 409, 'CONFLICT')
  await client.post(`/api-v1-trash/${data[0].id}/restore`, {})
  assert.equal((await client.post(`/api-v1-trash/${proposal}/restore`, {})).status, 200)
})

test('The days of a stage are an integer from 1, or null', async (t) => {
  const { client, proposal } = await open(await start(t))
  const set = (stale_after_days: unknown): Promise<ApiResponse> =>
    client.patch(`/api-v1-stages/${proposal}`, { stale_after_days })

  for (const days of [0, -1, 1.5, 1e9, '7']) assertError(await set(days), 400, 'VALIDATION_ERROR')
  for (const days of [1, 14, null]) assert.equal((await set(days)).body.data.stale_after_days, days)
})
