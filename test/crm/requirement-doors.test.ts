import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentFor } from '../mcp/agent.ts'
import { proposals } from '../mcp/proposing.ts'
import { newestOf } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { ended, resultsOf, submit } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague } from '../support/visitor.ts'
import { both, complete, missingIn, open } from './requiring.ts'

// What a stage requires, at the doors beside those of the API's own writes (test/crm/requirements.test.ts).

async function stageOf(client: Client, id: string): Promise<string> {
  return (await client.get(`/api-v1-deals/${id}`)).body.data.stage_id
}

const fieldsIn = ({ error }: JsonRecord) => error.details.map(({ field, code }: JsonRecord) => [field, code])
const required = both.map((name) => [name, 'REQUIRED'])

test('An import that updates a deal, or adds it, does not bring it into a stage without what that requires, tried out too', async (t) => {
  const { client, proposal, lead } = await open(await start(t))
  const { id } = await make(client, 'deal', { title: 'Hampers', metadata: { code: 'a' } })
  const record = { title: 'Hampers', metadata: { code: 'a' }, stage_id: proposal }
  const records = [record, { ...record, metadata: { code: 'b' } }]

  for (const mode of ['merge', 'update_only']) {
    for (const dry_run of [true, false]) {
      const path = await submit(client, 'deals', records, { match_on: 'metadata.code', mode, dry_run })
      await ended(client, path)
      const [first, second] = await resultsOf(client, path)
      const codes = first!.errors.map(({ field, code }: JsonRecord) => [field, code])
      assert.deepEqual([first!.outcome, codes], ['failed', required], `${mode} ${dry_run}`)
      assert.notEqual(second!.outcome, 'created')
      assert.equal(await stageOf(client, id), lead)
    }
  }
  assert.equal((await client.get('/api-v1-deals')).body.pagination.total, 1)
})

async function openAgents(t: TestContext) {
  const server = await start(t)
  const opened = await open(server)
  const agent = async (mcp_mode: string) => {
    const { key, keyId } = await opened.key()
    await opened.client.patch(`/api-v1-keys/${keyId}`, { mcp_mode })
    return agentFor({ url: server.url, key })
  }
  return { ...opened, agent, user: await newColleague(server, 'owner') }
}

test('An agent can neither bring a deal into a stage without what that requires nor propose it, and learns what is missing', async (t) => {
  const { client, proposal, lead, agent } = await openAgents(t)
  const { id } = await make(client, 'deal', { title: 'Hampers', metadata: { code: 'a' } })
  const moves = [
    { id, values: { stage_id: proposal } },
    { values: { title: 'New', stage_id: proposal } },
    { match_on: 'metadata.code', values: { title: 'Old', metadata: { code: 'a' }, stage_id: proposal } },
  ]

  for (const mode of ['write', 'propose']) {
    const { call } = await agent(mode)
    for (const move of moves) {
      for (const dry_run of [true, false]) {
        const { isError, ...result } = await call('save_record', { type: 'deal', ...move, dry_run })
        assert.deepEqual([isError, fieldsIn(result)], [true, required], `${mode} ${JSON.stringify(move)}`)
      }
    }
  }
  assert.equal(await stageOf(client, id), lead)
  assert.equal((await client.get('/api-v1-deals')).body.pagination.total, 1)
  assert.equal((await client.get(proposals)).body.pagination.total, 0)
})

test('A proposal that a stage has come to refuse is not applied, by force neither, and stays open until the deal has what is required', async (t) => {
  const { client, proposal, lead, agent, user } = await openAgents(t)
  const { id } = await make(client, 'deal', { title: 'Hampers', ...complete })
  const values = { stage_id: proposal, probability: 50 }
  const { use } = await agent('propose')
  const proposed = (await use('save_record', { type: 'deal', id, values })).proposal
  const apply = `${proposals}/${proposed.id}/apply`
  await client.patch(`/api-v1-deals/${id}`, { expected_close_date: null })

  for (const body of [{}, { force: true }, { fields: ['stage_id'] }]) {
    assert.deepEqual(missingIn(await user.post(apply, body)), ['expected_close_date'], JSON.stringify(body))
    assert.equal(await stageOf(client, id), lead)
    assert.equal((await client.get(`${proposals}/${proposed.id}`)).body.data.status, 'open')
  }
  await client.patch(`/api-v1-deals/${id}`, { expected_close_date: '2026-12-24' })
  assert.equal((await user.post(apply, { force: true })).status, 200)
  assert.equal(await stageOf(client, id), proposal)
})

test('An undo of a request, and one by an agent, is errored for the deals that would lack what is required, and reverses the others', async (t) => {
  const { client, proposal, lead, agent } = await openAgents(t)
  const [bare, full] = [
    await make(client, 'deal', { title: 'Bare', stage_id: proposal, ...complete }),
    await make(client, 'deal', { title: 'Full', stage_id: proposal, ...complete }),
  ]
  const shared = { 'X-Request-Id': 'moved-away' }
  for (const { id } of [bare, full]) await client.patch(`/api-v1-deals/${id}`, { stage_id: lead }, shared)
  await client.patch(`/api-v1-deals/${bare.id}`, { metadata: {} })
  const { use } = await agent('write')

  for (const undone of [
    (await client.post('/api-v1-undo', { request_id: 'moved-away', dry_run: true })).body.data,
    (await use('undo', { request_id: 'moved-away' })).data,
  ]) {
    const [{ record_id, code, message }] = undone.errored
    assert.deepEqual([record_id, code], [bare.id, 'VALIDATION_ERROR'])
    assert.match(message, /budget is required in the stage "Proposal"/)
    assert.deepEqual([undone.errored.length, undone.reversed.length], [1, 1])
  }
  assert.deepEqual([await stageOf(client, bare.id), await stageOf(client, full.id)], [lead, proposal])
})

test('What returns to its stage from the trash, by a restore or an undo, needs nothing of what is required', async (t) => {
  const { client, proposal } = await open(await start(t))
  const { id } = await make(client, 'deal', { title: 'Hampers', stage_id: proposal, ...complete })
  await client.patch(`/api-v1-deals/${id}`, { expected_close_date: null, metadata: {} })

  await client.delete(`/api-v1-deals/${id}`)
  assert.equal((await client.post(`/api-v1-trash/${id}/restore`, {})).status, 200)
  await client.delete(`/api-v1-deals/${id}`)
  const { body } = await client.post('/api-v1-undo', { seq: await newestOf(client, id) })

  assert.deepEqual([body.data.reversed.length, body.data.errored], [1, []])
  assert.equal(await stageOf(client, id), proposal)
})

test('A stage moves to another pipeline with deals that lack what it requires, and a person who is erased leaves a deal where it is', async (t) => {
  const { client, proposal } = await open(await start(t), ['people'])
  const contact = await make(client, 'contact', { first_name: 'Ada' })
  const { id } = await make(client, 'deal', { title: 'Hampers', stage_id: proposal, contact_id: contact.id })
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })

  await client.delete(`/api-v1-contacts/${contact.id}`)
  assert.equal((await client.delete(`/api-v1-trash/${contact.id}`)).status, 200)
  assert.equal((await client.patch(`/api-v1-stages/${proposal}`, { pipeline_id })).status, 200)

  assert.equal(await stageOf(client, id), proposal)
  const { id: other } = await make(client, 'deal', { title: 'Empty' })
  assertError(await client.patch(`/api-v1-deals/${other}`, { stage_id: proposal }), 400, 'VALIDATION_ERROR')
})

test('A deleted person does not meet the requirement of people, however it came on the deal, until it is restored', async (t) => {
  const { client, proposal } = await open(await start(t), ['people'])
  const [ada, alan] = [await make(client, 'contact'), await make(client, 'contact')]
  const { id } = await make(client, 'deal', { title: 'Hampers', contact_id: ada.id })
  const move = () => client.patch(`/api-v1-deals/${id}`, { stage_id: proposal })
  await client.put(`/api-v1-deals/${id}/contacts/${alan.id}`, {})
  for (const person of [ada, alan]) await client.delete(`/api-v1-contacts/${person.id}`)

  assertError(await move(), 400, 'VALIDATION_ERROR', undefined, ['people'])
  assertError(await client.post('/api-v1-deals', { title: 'Other', stage_id: proposal }), 400, 'VALIDATION_ERROR')
  await client.post(`/api-v1-trash/${ada.id}/restore`, {})
  assert.equal((await move()).status, 200)
})

test('An undo that returns a deal to its stage and its person together is predicted as it is done', async (t) => {
  const { client, lead, proposal } = await open(await start(t), ['people'])
  const contact = await make(client, 'contact')
  const { id } = await make(client, 'deal', { title: 'Hampers', stage_id: proposal, contact_id: contact.id })
  const together = { 'X-Request-Id': 'together' }
  await client.patch(`/api-v1-deals/${id}`, { stage_id: lead }, together)
  await client.delete(`/api-v1-contacts/${contact.id}`, together)

  for (const dry_run of [true, false]) {
    const { body } = await client.post('/api-v1-undo', { request_id: 'together', dry_run })
    assert.deepEqual([body.data.reversed.length, body.data.errored], [2, []])
  }
  assert.equal(await stageOf(client, id), proposal)
})
