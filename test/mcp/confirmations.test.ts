import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { type AgentOptions, agentFor } from './agent.ts'

async function open(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const agent = (options: Partial<AgentOptions> = {}) => agentFor({ url: server.url, key: client.key, ...options })
  const contact = async () => ({ type: 'contact', id: (await make(client, 'contact')).id as string })
  const statusOf = async ({ id }: { id: string }) => (await client.get(`/api-v1-contacts/${id}`)).status
  return { ...server, client, agent, contact, statusOf }
}

test('A confirmed call that is repeated with its operation_id returns the first result, also after the confirmation has expired', async (t) => {
  const { agent, clock, contact } = await open(t)
  const given = await contact()
  const { confirm_token } = await agent().use('delete_record', given)
  const first = await agent().use('delete_record', { ...given, confirm_token, operation_id: 'delete-1' })

  clock.advance(660_000)
  const repeated = await agent().use('delete_record', { ...given, confirm_token, operation_id: 'delete-1' })
  const another = await agent().call('delete_record', { ...given, confirm_token, operation_id: 'delete-2' })

  assert.deepEqual(repeated, first)
  assert.match(another.error.message, /expired/)
})

test('Each confirmation is valid once, also if a client sends the same X-Request-Id with every request', async (t) => {
  const { agent, contact, statusOf } = await open(t)
  const client = agent({ headers: { 'X-Request-Id': 'always-the-same' } })
  const [one, two] = [await contact(), await contact()]
  const tokens = [await client.use('delete_record', one), await client.use('delete_record', two)]

  const results = [
    await client.call('delete_record', { ...one, confirm_token: tokens[0].confirm_token }),
    await client.call('delete_record', { ...two, confirm_token: tokens[1].confirm_token }),
    await client.call('delete_record', { ...two, confirm_token: tokens[1].confirm_token }),
  ]

  assert.deepEqual(
    results.map(({ isError }) => isError),
    [false, false, true],
  )
  assert.deepEqual([await statusOf(one), await statusOf(two)], [404, 404])
})

test('A confirmation is valid for the same call with dry_run: false', async (t) => {
  const { agent, contact, statusOf } = await open(t)
  const given = await contact()
  const { confirm_token } = await agent().use('delete_record', given)

  await agent().use('delete_record', { ...given, dry_run: false, confirm_token })

  assert.equal(await statusOf(given), 404)
})

test('A requestState that the server has not given is refused, whatever it is', async (t) => {
  const { agent, contact, statusOf } = await open(t)
  const given = await contact()
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
  let nested: unknown = 'token'
  for (let depth = 0; depth < 10_000; depth++) nested = [nested]

  for (const requestState of [{ toString: 1 }, 1, '', [], nested]) {
    const { error } = await agent().call('delete_record', given, { inputResponses, requestState })
    assert.equal(error.code, 'VALIDATION_ERROR')
    assert.match(error.message, /does not belong to this call/)
  }
  assert.equal(await statusOf(given), 200)
})
