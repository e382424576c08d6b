import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, clientFor } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, password, type Visitor, visit } from '../support/visitor.ts'

const forbidden = [403, 'INSUFFICIENT_PERMISSIONS'] as const

test('A member can work with records, and gets 403 from every admin endpoint', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const member = await newColleague(server, 'member')
  const [stage] = (await member.get('/api-v1-stages')).body.data

  assert.equal((await member.post('/api-v1-organizations', { name: 'Nordwind' })).status, 201)
  assert.equal((await member.get('/api-v1-deals/summary?group_by=stage_id')).status, 200)
  assertError(await member.post('/api-v1-stages', { name: 'Mine' }), ...forbidden)
  assertError(await member.patch(`/api-v1-stages/${stage.id}`, { name: 'Mine' }), ...forbidden)
  assertError(await member.delete(`/api-v1-stages/${stage.id}`), ...forbidden)
  assertError(await member.post('/console/users', { full_name: 'x', email: 'x@acme.example' }), ...forbidden)
  assertError(await member.patch(`/console/users/${member.id}`, { role: 'owner' }), ...forbidden)
  assertError(await member.post(`/console/users/${member.id}/invitation`), ...forbidden)
  assertError(await member.patch('/console/company', { name: 'Mine' }), ...forbidden)
})

test('The console offers a member no changes of what only admins may change', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const offered = async (to: Visitor, resource: string) => {
    const { resources } = (await to.get('/console/description')).body.data
    return resources.find(({ name }: { name: string }) => name === resource).operations
  }

  assert.ok((await offered(owner, 'exchange_rate')).includes('create'))
  assert.deepEqual(await offered(member, 'exchange_rate'), ['list', 'get'])
  assert.ok((await offered(member, 'contact')).includes('create'))
})

test('An admin manages users, keys, stages and the company, but no owner', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const ownerId = (await owner.get('/console/session')).body.data.user.id

  assert.equal((await admin.post('/api-v1-stages', { name: 'Trial' })).status, 201)
  assert.equal((await admin.post('/api-v1-keys', { name: 'CI', scopes: ['admin:all'] })).status, 201)
  assert.equal((await admin.patch('/console/company', { name: 'Acme Ltd' })).body.data.name, 'Acme Ltd')
  assert.equal((await admin.post('/console/users', { full_name: 'x', email: 'new@acme.example' })).status, 201)
  assertError(await admin.patch(`/console/users/${ownerId}`, { role: 'member' }), ...forbidden)
  assertError(await admin.post(`/console/users/${ownerId}/invitation`), ...forbidden)
  assertError(await admin.patch(`/console/users/${admin.id}`, { role: 'owner' }), ...forbidden)
  const made = await admin.post('/console/users', { full_name: 'x', email: 'x@acme.example', role: 'owner' })
  assertError(made, ...forbidden)
})

test('An admin manages the keys of both environments, from the pages of either', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const pages = ['live', 'test'].map((environment) => ({ 'Kontor-Environment': environment }))
  const make = (environment: string, page: Record<string, string>) =>
    owner.post('/api-v1-keys', { name: 'CI', scopes: ['read:all'], environment }, page)

  for (const page of pages) {
    for (const environment of ['live', 'test']) {
      const { status, body } = await make(environment, page)
      assert.deepEqual([status, body.data.environment], [201, environment])
      const revoked = await owner.post(`/api-v1-keys/${body.data.id}/revoke`, undefined, page)
      assert.equal(revoked.status, 200)
    }
    assert.equal((await owner.get('/api-v1-keys?environment=live', page)).body.pagination.total > 0, true)
  }
})

test('A company always has an owner, and users cannot lock themselves out', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { id } = (await owner.get('/console/session')).body.data.user

  assertError(await owner.patch(`/console/users/${id}`, { role: 'member' }), 409, 'CONFLICT')
  assertError(await owner.patch(`/console/users/${id}`, { is_active: false }), 409, 'CONFLICT')
  await newColleague(server, 'owner', 'second@acme.example')
  assert.equal((await owner.patch(`/console/users/${id}`, { role: 'member' })).body.data.role, 'member')
  assertError(await owner.patch(`/console/users/${id}`, { role: 'owner' }), ...forbidden)
})

test('An owner who has not chosen a password yet does not count as one', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { id } = (await owner.get('/console/session')).body.data.user
  const added = await owner.post('/console/users', { full_name: 'x', email: 'x@acme.example', role: 'owner' })
  const { user, invitation } = added.body.data

  assertError(await owner.patch(`/console/users/${id}`, { role: 'admin' }), 409, 'CONFLICT')
  const second = visit(server.url)
  assert.equal((await second.post('/console/invitation/accept', { token: invitation, password })).status, 201)
  assert.equal((await owner.patch(`/console/users/${id}`, { role: 'admin' })).status, 200)
  assertError(await second.patch(`/console/users/${user.id}`, { role: 'admin' }), 409, 'CONFLICT')
})

test('A member can create, see and revoke personal keys, and no others', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const shared = (await owner.post('/api-v1-keys', { name: 'Shared', scopes: ['read:all'] })).body.data

  const made = await member.post('/api-v1-keys', { name: 'Mine', scopes: ['read:deals'], type: 'shared' })
  const { id, key } = made.body.data

  assert.deepEqual([made.status, made.body.data.type, made.body.data.user_id], [201, 'personal', member.id])
  const client = clientFor(server.url, { id, key })
  assert.equal((await client.get('/api-v1-deals')).status, 200)
  assert.equal((await member.get('/api-v1-keys')).body.pagination.total, 1)
  assert.equal((await member.get(`/api-v1-keys/${id}/usage`)).status, 200)
  for (const path of [`/api-v1-keys/${shared.id}`, `/api-v1-keys/${shared.id}/usage`, `/api-v1-keys/${unknownId}`]) {
    assertError(await member.get(path), 404, 'NOT_FOUND')
  }
  assertError(await member.patch(`/api-v1-keys/${shared.id}`, { name: 'x' }), 404, 'NOT_FOUND')
  assertError(await member.post(`/api-v1-keys/${shared.id}/revoke`), 404, 'NOT_FOUND')
  const greedy = await member.post('/api-v1-keys', { name: 'All', scopes: ['admin:all'] })
  assertError(greedy, 400, 'VALIDATION_ERROR', undefined, ['scopes'])
  assertError(await member.patch(`/api-v1-keys/${id}`, { scopes: ['admin:all'] }), 400, 'VALIDATION_ERROR')
  assert.equal((await member.post(`/api-v1-keys/${id}/revoke`)).status, 200)
  assertError(await client.get('/api-v1-deals'), 401, 'API_KEY_REVOKED')
})

test('A member cannot widen the list of keys by a filter', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const ownerId = (await owner.get('/console/session')).body.data.user.id
  await owner.post('/api-v1-keys', { name: 'Own', scopes: ['read:all'], type: 'personal', user_id: ownerId })

  for (const query of [`user_id=${ownerId}`, 'type=shared', `user_id[in]=${ownerId},${member.id}`]) {
    assert.equal((await member.get(`/api-v1-keys?${query}`)).body.pagination.total, 0, query)
  }
})

test('A user of another company cannot be found, changed or invited', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const foreigner = await (await server.company('Nordwind')).client.addUser()

  assertError(await owner.patch(`/console/users/${foreigner}`, { role: 'member' }), 404, 'NOT_FOUND')
  assertError(await owner.post(`/console/users/${foreigner}/invitation`), 404, 'NOT_FOUND')
  assert.equal((await owner.get('/console/users')).body.data.length, 1)
})
