import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateKey } from '../../src/access/key.ts'
import { updateUser } from '../../src/access/user.ts'
import { assertError, type Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'

const once = { 'Idempotency-Key': 'once' }
const unavailable = /^This request has been processed\. Its response is no longer available/

const requests: Record<string, (client: Client) => Promise<[path: string, body: unknown]>> = {
  'the restore of a deal': async (client) => {
    const { id } = await make(client, 'deal')
    await client.delete(`/api-v1-deals/${id}`)
    return [`/api-v1-trash/${id}/restore`, {}]
  },
  'the undo of a deal': async (client) => {
    const { headers } = await client.post('/api-v1-deals', { title: 'Undone' })
    return ['/api-v1-undo', { request_id: headers.get('x-request-id') }]
  },
}

for (const [what, prepare] of Object.entries(requests)) {
  test(`A key that has lost the scopes of deals does not get the stored response to ${what}`, async (t) => {
    const server = await start(t)
    const { client: owner, key } = await server.company('Acme')
    const client = await key({ scopes: ['read:all', 'write:all'] })
    const [path, body] = await prepare(owner)
    const narrow = (scopes: string[]) =>
      server.store.writeAccess((tx) => updateKey(tx, client.keyId, { scopes: JSON.stringify(scopes) }))
    const first = await client.post(path, body, once)
    assert.equal(first.status, 200)

    await narrow(['read:contacts', 'write:contacts'])
    const narrowed = await client.post(path, body, once)
    await narrow(['admin:all'])
    const widened = await client.post(path, body, once)

    assertError(narrowed, 409, 'CONFLICT')
    assert.match(narrowed.body.error.message, unavailable)
    assert.deepEqual(widened.body, first.body)
  })
}

test('A key that may no longer read messages does not get a stored response with a message', async (t) => {
  const server = await start(t, { limits: { mailDomain: 'in.example.com' } })
  const { client: owner, key } = await server.company('Acme')
  const client = await key({ scopes: ['read:messages', 'write:messages'] })
  const { address } = (await owner.post('/api-v1-mail-addresses', { kind: 'company' })).body.data
  const deliver = () =>
    client.request('POST', `/api-v1-messages?address=${address}`, {
      headers: { 'Content-Type': 'message/rfc822', ...once },
      body: 'From: bo@out.example\r\nTo: me@acme.example\r\nSubject: Secret\r\n\r\nHello\r\n',
    })
  const first = await deliver()
  assert.equal(first.body.data.subject, 'Secret')

  await server.store.writeAccess((tx) => updateKey(tx, client.keyId, { scopes: '["write:messages"]' }))

  assertError(await deliver(), 409, 'CONFLICT')
})

test('An admin who has become a member does not get the stored response to an undo', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const { headers } = await admin.post('/api-v1-organizations', { name: 'Acme' })
  const undo = () => admin.post('/api-v1-undo', { request_id: headers.get('x-request-id') }, once)
  assert.equal((await undo()).status, 200)

  await server.store.writeAccess((tx) => updateUser(tx, admin.id, { role: 'member' }))

  assertError(await undo(), 409, 'CONFLICT')
})

test('An owner who has become an admin does not get the stored response with the key of another owner', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const owner = await newColleague(server, 'owner')
  const other = await newColleague(server, 'owner', 'other@acme.example')
  const create = () => owner.post('/api-v1-keys', { name: 'Sync', user_id: other.id, scopes: ['admin:all'] }, once)
  const first = await create()
  assert.equal(first.status, 201)

  await server.store.writeAccess((tx) => updateUser(tx, owner.id, { role: 'admin' }))

  assertError(await create(), 409, 'CONFLICT')
})
