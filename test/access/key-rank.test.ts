import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updateUser } from '../../src/access/user.ts'
import { assertError, clientFor } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, visit } from '../support/visitor.ts'
import { serveOvertaken } from './overtake.ts'

const keys = '/api-v1-keys'
const forbidden = [403, 'INSUFFICIENT_PERMISSIONS'] as const
const refusal = [
  ...forbidden,
  'Only an owner may create or change a personal key of an owner: others may only revoke it',
] as const
const of = (user_id: string) => ({ name: 'Mine', scopes: ['admin:all'], type: 'personal', user_id })

/** A company with two owners, an admin, a member, and keys of each kind that manages keys. */
async function open(t: TestContext) {
  const server = await start(t)
  const owner = await newOwner(server)
  const boss = await newColleague(server, 'owner', 'boss@acme.example')
  const admin = await newColleague(server, 'admin')
  const member = await newColleague(server, 'member')
  const clientOf = async (body: object) => {
    const { id, key } = (await owner.post(keys, body)).body.data
    return clientFor(server.url, { id, key })
  }
  const shared = await clientOf({ name: 'Shared', scopes: ['admin:all'] })
  const testing = await clientOf({ name: 'Test', scopes: ['admin:all'], environment: 'test' })
  const adminKey = await clientOf(of(admin.id))
  const bossKey = await clientOf(of(boss.id))
  return { ...server, owner, boss, admin, member, shared, testing, adminKey, bossKey }
}

test('Nobody but an owner makes a personal key of an owner: no admin, no personal key of one, no shared key', async (t) => {
  const { owner, boss, admin, shared, testing, adminKey } = await open(t)
  const before = (await owner.get(keys)).body.pagination.total

  for (const caller of [admin, shared, testing, adminKey]) {
    for (const id of [boss.id, ` ${boss.id.toUpperCase()} `]) {
      const { type, ...untyped } = of(id)
      assertError(await caller.post(keys, of(id)), ...refusal)
      assertError(await caller.post(keys, untyped, { 'Idempotency-Key': id.trim() }), ...refusal)
    }
  }
  assert.equal((await owner.get(keys)).body.pagination.total, before)
})

test('An owner makes personal keys of every user, and an admin of every user who is no owner', async (t) => {
  const { owner, boss, admin, member, shared, adminKey, bossKey } = await open(t)

  for (const caller of [owner, boss, bossKey]) {
    for (const { id } of [boss, admin, member]) assert.equal((await caller.post(keys, of(id))).status, 201)
  }
  for (const caller of [admin, adminKey, shared]) {
    for (const { id } of [admin, member]) assert.equal((await caller.post(keys, of(id))).status, 201)
  }
})

test('Only an owner changes or activates a personal key of an owner; others may only revoke it', async (t) => {
  const { owner, boss, admin, shared, adminKey, bossKey } = await open(t)
  const path = `${keys}/${bossKey.keyId}`
  await owner.patch(path, { scopes: ['read:all'], is_active: false })

  for (const caller of [admin, shared, adminKey]) {
    for (const body of [
      { scopes: ['admin:all'] },
      { is_active: true },
      { expires_at: null, name: 'x' },
      { mcp_mode: 'read' },
    ]) {
      assertError(await caller.patch(path, body), ...refusal)
    }
  }
  const { is_active, scopes, name } = (await owner.get(path)).body.data
  assert.deepEqual([is_active, scopes, name], [false, ['read:all'], 'Mine'])
  assert.equal((await boss.patch(path, { is_active: true })).status, 200)
  assert.equal((await bossKey.get('/api-v1-me')).status, 200)
  assert.equal((await admin.post(`${path}/revoke`)).status, 200)
  assertError(await bossKey.get('/api-v1-me'), 401, 'API_KEY_REVOKED')
})

for (const [happens, change] of [
  ['the user becomes an owner', { of: 'member', role: 'owner', by: 'admin' }],
  ['the caller is no owner any more', { of: 'owner', role: 'admin', by: 'owner', for: 'boss' }],
] as const) {
  test(`A personal key of an owner is refused inside the transaction if ${happens} right before it`, async (t) => {
    const server = await serveOvertaken(t)
    const [owner, boss] = [await newOwner(server), await newColleague(server, 'owner', 'boss@acme.example')]
    const [admin, member] = [await newColleague(server, 'admin'), await newColleague(server, 'member')]
    const ownerId = (await owner.get('/console/session')).body.data.user.id
    const ids = { owner: ownerId, boss: boss.id, member: member.id }
    const caller = change.by === 'owner' ? owner : admin

    const response = await server.overtake(
      () => caller.post(keys, of(ids['for' in change ? change.for : change.of])),
      (tx) => updateUser(tx, ids[change.of], { role: change.role }),
    )

    assertError(response, ...refusal)
    assert.equal(server.store.access.value('SELECT count(*) FROM api_key'), 0)
  })
}

test('A password link ends when its user becomes an owner, because an admin may have it', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const member = await newColleague(server, 'member')
  const { invitation: token } = (await admin.post(`/console/users/${member.id}/invitation`)).body.data

  await owner.patch(`/console/users/${member.id}`, { role: 'admin' })
  assert.equal((await visit(server.url).post('/console/invitation', { token })).status, 200)
  await owner.patch(`/console/users/${member.id}`, { role: 'owner' })

  assertError(await visit(server.url).post('/console/invitation', { token }), 404, 'NOT_FOUND')
  assertError(await admin.post(`/console/users/${member.id}/invitation`), ...forbidden)
})

test('The personal keys of a user who becomes an owner are disabled, because an admin may know them', async (t) => {
  const { owner, admin, member, boss, url } = await open(t)
  const { id, key } = (await admin.post(keys, of(member.id))).body.data
  const known = clientFor(url, { id, key })
  assert.equal((await known.get('/api-v1-me')).status, 200)

  await owner.patch(`/console/users/${member.id}`, { role: 'owner' })

  assertError(await known.post(keys, of(boss.id)), 401, 'API_KEY_INACTIVE')
  assert.equal((await member.patch(`${keys}/${id}`, { is_active: true })).status, 200)
  assert.equal((await known.get('/api-v1-me')).status, 200)
})

test('Who manages only some keys is never answered with what others were shown of keys, nor others with that', async (t) => {
  const { owner, member, testing } = await open(t)
  const [live] = (await owner.get(`${keys}?environment=live`)).body.data
  const inTest = { get: (path: string) => owner.get(path, { 'Kontor-Environment': 'test' }) }
  const seen = async (caller: { get(path: string): ReturnType<typeof owner.get> }) => [
    (await caller.get(keys)).body.pagination.total,
    (await caller.get(`${keys}/${live.id}`)).status,
  ]
  const all = await seen(owner)

  assert.deepEqual(await seen(member), [0, 404])
  assert.deepEqual(await seen(owner), all)
  assert.deepEqual(await seen(inTest), all)
  assert.deepEqual(await seen(testing), [1, 404])
  assert.equal((await owner.post('/api-v1-organizations', { name: 'Acme' })).status, 201, 'nothing is cached now')
  assert.deepEqual(await seen(member), [0, 404])
  assert.deepEqual(await seen(owner), all)
})
