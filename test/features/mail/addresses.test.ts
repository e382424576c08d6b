import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLog } from '../../../src/changes/verify.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { type ApiResponse, assertError, type Client } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { deliverMail, mailDomain, newAddress, startWithMail } from './mails.ts'

const path = '/api-v1-mail-addresses'

test('An address has a local part of at least 100 random bits, and there is one for each owner', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const deal = await make(client, 'deal')

  const company = await client.post(path, { kind: 'company' })
  const again = await client.post(path, { kind: 'company', audience: 'participants' })
  const ofDeal = await client.post(path, { kind: 'deal', deal_id: deal.id })

  assert.equal(company.status, 201)
  assert.match(company.body.data.address, new RegExp(`^[a-z2-7]{20,}@${mailDomain}$`))
  assert.deepEqual([again.status, again.body.data], [200, company.body.data])
  assert.notEqual(ofDeal.body.data.address, company.body.data.address)
  assert.equal((await client.get(`${path}?kind=deal`)).body.data[0].deal_id, deal.id)
})

test('A mail address needs the owner of its kind and no other', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const deal = await make(client, 'deal')

  for (const [body, field] of [
    [{}, 'kind'],
    [{ kind: 'deal' }, 'deal_id'],
    [{ kind: 'user' }, 'user_id'],
    [{ kind: 'company', deal_id: deal.id }, 'deal_id'],
    [{ kind: 'deal', deal_id: deal.stage_id }, 'deal_id'],
  ] as const) {
    assertError(await client.post(path, body), 400, 'VALIDATION_ERROR', undefined, [field])
  }
})

test('Rotated and deleted addresses, those of deleted deals and of inactive users do not exist', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const userId = await client.addUser()
  const deal = await make(client, 'deal')
  const [company, ofDeal, ofUser] = [
    await newAddress(client),
    await newAddress(client, { kind: 'deal', deal_id: deal.id }),
    await newAddress(client, { kind: 'user', user_id: userId }),
  ]

  const rotated = await client.post(`${path}/${company.id}/rotate`, undefined)
  await client.delete(`/api-v1-deals/${deal.id}`)
  await server.store.writeAccess((tx) => tx.run('UPDATE user SET is_active = 0 WHERE id = ?', userId))

  for (const { address } of [company, ofDeal, ofUser]) {
    assertError(await deliverMail(client, address), 404, 'NOT_FOUND')
  }
  assert.equal((await deliverMail(client, rotated.body.data.address)).status, 201)
  await client.delete(`${path}/${company.id}`)
  assertError(await deliverMail(client, rotated.body.data.address), 404, 'NOT_FOUND')
  assertError(await client.get(`${path}/${company.id}`), 404, 'NOT_FOUND')
})

test("A user's address is shown to the user and to admins, and only they can change it", async (t) => {
  const company = await (await startWithMail(t)).company('Acme')
  const { client } = company
  const [ada, bob] = [await client.addUser(), await client.addUser()]
  const scopes = ['read:all', 'write:all']
  const [adas, bobs] = [await company.key({ scopes, userId: ada }), await company.key({ scopes, userId: bob })]
  const shared = await company.key({ scopes })
  const { body } = await adas.post(path, { kind: 'user' })
  const { id } = body.data

  assert.equal(body.data.user_id, ada, 'it is that of the caller')
  for (const own of [adas, client]) {
    assert.equal((await own.get(`${path}/${id}`)).status, 200)
    assert.equal((await own.get(path)).body.pagination.total, 1)
  }
  for (const other of [bobs, shared]) {
    assert.equal((await other.get(path)).body.pagination.total, 0)
    assertError(await other.get(`${path}/${id}`), 404, 'NOT_FOUND')
    assertError(await other.post(`${path}/${id}/rotate`, undefined), 404, 'NOT_FOUND')
    assertError(await other.delete(`${path}/${id}`), 404, 'NOT_FOUND')
    assertError(await other.post(path, { kind: 'user', user_id: ada }), 403, 'INSUFFICIENT_PERMISSIONS')
  }
})

test("Only a user and admins undo changes of the user's address, also of one that has been deleted", async (t) => {
  const company = await (await startWithMail(t)).company('Acme')
  const scopes = ['read:all', 'write:all']
  const [adas, bobs] = await Promise.all(
    [1, 2].map(async () => company.key({ scopes, userId: await company.client.addUser() })),
  )
  const others = [bobs!, await company.key({ scopes })]
  const made = await adas!.post(path, { kind: 'user' })
  const at = `${path}/${made.body.data.id}`
  const rotated = await adas!.post(`${at}/rotate`, undefined)
  const undo = (client: Client, { headers }: Pick<ApiResponse, 'headers'>, dry_run = false) =>
    client.post('/api-v1-undo', { request_id: headers.get('x-request-id'), dry_run })

  for (const other of others) {
    for (const response of [rotated, made]) {
      assertError(await undo(other, response, true), 403, 'INSUFFICIENT_PERMISSIONS')
      assertError(await undo(other, response), 403, 'INSUFFICIENT_PERMISSIONS')
    }
  }
  assert.equal((await adas!.get(at)).body.data.address, rotated.body.data.address)
  const deleted = await adas!.delete(at)
  for (const other of others) assertError(await undo(other, deleted), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await undo(adas!, deleted)).body.data.reversed.length, 1)
  assert.equal((await undo(company.client, rotated)).body.data.reversed.length, 1)
  assert.equal((await adas!.get(at)).body.data.address, made.body.data.address)
})

test('An undo of a forged change does not take an address of another company, also not a former one', async (t) => {
  const server = await startWithMail(t)
  const [victim, forger] = [await server.client(), await server.client()]
  const [theirs, own] = [await newAddress(victim), await newAddress(forger)]
  const rotate = (client: Client, { id }: { id: string }) => client.post(`${path}/${id}/rotate`, undefined)
  const rotated = await rotate(forger, own)
  const forge = `UPDATE change SET previous = json_set(previous, '$.address', ?)
    WHERE previous ->> 'address' = ? AND workspace_id = (SELECT workspace_id FROM api_key WHERE id = ?)`
  await server.store.writeAccess((tx) => tx.run(forge, theirs.address, own.address, forger.keyId))
  const undo = () => forger.post('/api-v1-undo', { request_id: rotated.headers.get('x-request-id') })

  for (const what of ['current', 'former']) {
    const { data } = (await undo()).body
    assert.deepEqual([data.reversed.length, data.errored.length], [0, 1], `${what}: ${JSON.stringify(data)}`)
    await rotate(victim, theirs)
  }

  assert.equal((await forger.get(`${path}/${own.id}`)).body.data.address, rotated.body.data.address)
})

test('An address says when the newest message arrived that the team sees', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { id, address, last_message_at } = await newAddress(client)
  assert.equal(last_message_at, null)

  const { body } = await deliverMail(client, address)

  const { data } = (await client.get(`${path}/${id}`)).body
  assert.equal(data.last_message_at, body.data.received_at)
})

test('The log of addresses that were deleted, and of one whose deletion was undone, leads to what is stored', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const deal = await make(client, 'deal')
  const [back, gone] = [await newAddress(client), await newAddress(client, { kind: 'deal', deal_id: deal.id })]
  const deleted = await client.delete(`${path}/${back.id}`)
  await client.delete(`${path}/${gone.id}`)

  const undone = await client.post('/api-v1-undo', { request_id: deleted.headers.get('x-request-id') })

  assert.equal(undone.body.data.reversed.length, 1, JSON.stringify(undone.body))
  assert.equal((await client.get(`${path}/${back.id}`)).status, 200)
  const sql = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const reader = server.store.workspace(server.store.access.value<number>(sql, client.keyId)!)
  assert.deepEqual([...verifyLog(loggedResources, reader)], [])
  const { data } = (await client.get('/api-v1-changes?types=mail_address.*')).body
  assert.deepEqual(
    data.map(({ type }: { type: string }) => type),
    ['created', 'created', 'deleted', 'deleted', 'restored'].map((verb) => `mail_address.${verb}`),
  )
})
