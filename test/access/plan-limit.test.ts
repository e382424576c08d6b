import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { resources } from '../../src/features/index.ts'
import { assertError } from '../support/client.ts'
import { bodyFor, make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'
import { countOf, times } from './limits.ts'

const contacts = '/api-v1-contacts'

/** Changes the limit as `kontor plan set` does while the server runs. */
function limitContacts(server: Server, max: number | null) {
  return withStore(server.directory, (store) =>
    store.writeAccess((tx) => updatePlan(tx, 'enterprise', { max_contacts: max })),
  )
}

test('A contact beyond the plan’s limit is rejected, and nothing of it is stored', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await limitContacts(server, 2)
  await make(client, 'contact')
  await make(client, 'contact')

  const refused = await client.post(contacts, { first_name: 'Grace', emails: [{ email: 'grace@acme.test' }] })

  assertError(refused, 403, 'PLAN_LIMIT_EXCEEDED', 'Your plan allows at most 2 contacts')
  assert.equal((await client.get(contacts)).body.pagination.total, 2)
  assert.equal((await client.get(`${contacts}?email=grace@acme.test`)).body.pagination.total, 0)
})

for (const resource of resources.filter((each) => each.limit !== undefined)) {
  const { name, path, limit } = resource

  test(`The plan limits ${path} by ${limit}`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { [limit!]: 1 }))
    await make(client, name)

    const refused = await client.post(`/${path}`, await bodyFor(client, resource))

    assertError(refused, 403, 'PLAN_LIMIT_EXCEEDED', `Your plan allows at most 1 ${name}`)
    assert.equal((await client.get(`/${path}`)).body.pagination.total, 1)
  })
}

test('Of concurrent creates exactly as many succeed as the plan allows', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await limitContacts(server, 3)

  const responses = await times(12, () => client.post(contacts, { first_name: 'Grace' }))

  assert.deepEqual([countOf(responses, 201), countOf(responses, 403)], [3, 9])
  assert.equal((await client.get(contacts)).body.data.length, 3)
})

test('Deleting a contact allows one more, also if it is deleted twice', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await limitContacts(server, 1)
  const { id } = await make(client, 'contact')
  await client.delete(`${contacts}/${id}`)
  await client.delete(`${contacts}/${id}`)

  const responses = [await client.post(contacts, { first_name: 'A' }), await client.post(contacts, { first_name: 'B' })]

  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 403],
  )
})

test('The limit applies to each workspace: test data and other companies do not count', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const sandbox = await acme.key({ environment: 'test' })
  await limitContacts(server, 1)

  const made = [acme.client, sandbox, other.client].map((client) => make(client, 'contact'))

  await assert.doesNotReject(Promise.all(made))
})

test('Above a lowered limit, contacts can still be read, changed and deleted', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'contact')
  await limitContacts(server, 0)

  const refused = await client.post(contacts, { first_name: 'Grace' })
  const patched = await client.patch(`${contacts}/${id}`, { first_name: 'Ada' })
  const deleted = await client.delete(`${contacts}/${id}`)

  assertError(refused, 403, 'PLAN_LIMIT_EXCEEDED')
  assert.deepEqual([patched.status, deleted.status], [200, 200])
})

test('Removing a limit takes effect with the next request', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await limitContacts(server, 0)
  await client.post(contacts, { first_name: 'Grace' })

  await limitContacts(server, null)

  assert.equal((await client.post(contacts, { first_name: 'Grace' })).status, 201)
})

test('Validation errors take precedence over the limit', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await limitContacts(server, 0)

  const response = await client.post(contacts, {})

  assertError(response, 400, 'VALIDATION_ERROR', 'First name is required', ['first_name'])
})
