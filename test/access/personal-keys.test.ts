import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updateUser } from '../../src/access/user.ts'
import { assertError, type Client, clientFor, send } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const keys = '/api-v1-keys'
const stages = '/api-v1-stages'
const forbidden = [403, 'INSUFFICIENT_PERMISSIONS'] as const
const asMember = ['read:all', 'write:all']

/** Starts a server with an admin who has a personal key with all scopes. */
async function serveAdmin(t: TestContext) {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const body = { name: 'Mine', scopes: ['admin:all'], type: 'personal', user_id: admin.id }
  const { id, key } = (await owner.post(keys, body)).body.data
  const setRole = (role: string) => owner.patch(`/console/users/${admin.id}`, { role })
  return { server, owner, admin, client: clientFor(server.url, { id, key }), setRole }
}

test('A personal key loses and regains permissions with the role of its user, from the next request on', async (t) => {
  const { client, setRole } = await serveAdmin(t)
  assert.equal((await client.get(keys)).status, 200)

  await setRole('member')
  const responses = [
    await client.get(keys),
    await client.post(keys, { name: 'More', scopes: ['admin:all'] }),
    await client.patch(`${keys}/${client.keyId}`, { expires_at: null, description: 'longer' }),
  ]
  const records = await client.post('/api-v1-organizations', { name: 'Nordwind' })
  await setRole('admin')

  for (const response of responses)
    assertError(response, ...forbidden, 'Insufficient permissions. Required scope: admin:all')
  assert.equal(records.status, 201)
  assert.equal((await client.get(keys)).status, 200)
})

test('A personal key shows its current scopes, in its record, in lists and in /api-v1-me, and keeps those it was created with', async (t) => {
  const { owner, client, setRole } = await serveAdmin(t)
  const path = `${keys}/${client.keyId}`
  const shown = async () => [
    (await owner.get(path)).body.data.scopes,
    (await owner.get(`${keys}?type=personal`)).body.data[0].scopes,
    ...(await meOf(client)),
  ]
  const before = (await owner.get(path)).headers.get('etag')

  await setRole('member')
  const narrowed = await shown()
  const tag = (await owner.get(path)).headers.get('etag')
  await owner.patch(path, { description: 'renamed meanwhile' })
  await setRole('admin')

  assert.deepEqual(narrowed, [asMember, asMember, asMember, asMember])
  assert.notEqual(tag, before)
  assert.deepEqual(await shown(), Array(4).fill(['admin:all']))
})

async function meOf(client: Client): Promise<unknown[]> {
  const { key, scopes } = (await client.get('/api-v1-me')).body.data
  return [key.scopes, scopes]
}

test('A role that the command line changes applies to personal keys from the next request on', async (t) => {
  const { server, admin, client } = await serveAdmin(t)
  await client.get(keys)

  await server.store.writeAccess((tx) => updateUser(tx, admin.id, { role: 'member' }))

  assertError(await client.get(keys), ...forbidden)
})

/** Tries every request that changes the pipeline. */
async function changeStages(user: Pick<Visitor, 'post' | 'patch' | 'delete'>, stageId: string) {
  return [
    await user.post(stages, { name: 'Demo' }),
    await user.patch(`${stages}/${stageId}`, { name: 'Renamed' }),
    await user.delete(`${stages}/${stageId}`),
  ]
}

test("A member cannot change stages, neither signed in nor by a personal key; shared keys and admins' keys with write:deals can", async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const admin = await newColleague(server, 'admin')
  const makeKey = async (body: object) =>
    clientFor(
      server.url,
      (await owner.post(keys, { name: 'K', scopes: ['write:deals', 'read:deals'], ...body })).body.data,
    )
  const [lead, qualified] = (await owner.get(stages)).body.data
  const personal = await makeKey({ user_id: member.id })

  const refused = [...(await changeStages(member, lead.id)), ...(await changeStages(personal, lead.id))]
  const shared = await changeStages(await makeKey({}), lead.id)
  const adminsKey = await makeKey({ user_id: admin.id })
  const byAdmin = await adminsKey.delete(`${stages}/${qualified.id}`)

  for (const response of refused) {
    assertError(response, ...forbidden, 'Only owners and admins may do this, not members or their personal keys')
  }
  assert.deepEqual(
    [...shared, byAdmin].map(({ status }) => status),
    [201, 200, 200, 200],
  )
  assert.equal((await personal.get(stages)).status, 200)
  assert.equal((await personal.post('/api-v1-deals', { title: 'Mine' })).status, 201)
})

test('A member neither undoes a change of a stage nor restores a deleted one', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const { id } = (await owner.post(stages, { name: 'Demo' })).body.data
  const changed = await owner.patch(`${stages}/${id}`, { name: 'Renamed' })
  const request_id = changed.headers.get('x-request-id')

  const undone = await member.post('/api-v1-undo', { request_id })
  await owner.delete(`${stages}/${id}`)
  const restored = await member.post(`/api-v1-trash/${id}/restore`)

  for (const response of [undone, restored]) {
    assertError(response, ...forbidden, 'Only owners and admins may change stages, not members')
  }
})

test('A user has at most 200 personal keys, revoked ones aside', async (t) => {
  const { owner, admin } = await serveAdmin(t)
  const add = () => owner.post(keys, { name: 'More', scopes: ['read:deals'], user_id: admin.id })
  for (let count = 1; count < 200; count++) assert.equal((await add()).status, 201)

  const { id } = (await owner.get(`${keys}?user_id=${admin.id}`)).body.data[0]
  assertError(await add(), 409, 'CONFLICT', 'A user has at most 200 personal keys: revoke one first')
  await owner.post(`${keys}/${id}/revoke`)
  assert.equal((await add()).status, 201)
})

test('The OpenAPI document states who may change stages', async (t) => {
  const { url } = await start(t)

  const { paths } = (await send(`${url}/openapi.json`)).body

  const operations = [paths[stages].post, paths[`${stages}/{id}`].patch, paths[`${stages}/{id}`].delete]
  for (const { description } of operations) assert.match(description, /Members .* get 403/)
  assert.doesNotMatch(paths[stages].get.description, /Members/)
})

test('A member cannot change pipelines by any way', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const made = (await owner.post('/api-v1-pipelines', { name: 'Partners' })).body.data
  const url = `/api-v1-pipelines/${made.id}`

  const refused = [
    await member.post('/api-v1-pipelines', { name: 'Resellers' }),
    await member.patch(url, { is_default: true }),
    await member.delete(url),
  ]
  await owner.delete(url)
  const restored = await member.post(`/api-v1-trash/${made.id}/restore`, {})

  for (const response of [...refused, restored]) assertError(response, ...forbidden)
  assert.equal((await member.get('/api-v1-pipelines')).status, 200)
})
