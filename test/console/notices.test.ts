import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verifyLog } from '../../src/changes/verify.ts'
import { loggedResources } from '../../src/features/index.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client, clientFor } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, password, signIn, type Visitor, visit } from '../support/visitor.ts'

const read = '/console/notices/read'

async function open(t: TestContext) {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const member = await newColleague(server, 'member')
  const keyOf = async (body: object): Promise<Client> => {
    return clientFor(server.url, (await owner.post('/api-v1-keys', { name: 'Log', ...body })).body.data)
  }
  return { ...server, owner, admin, member, keyOf }
}

const noticesOf = async (visitor: Visitor) => (await visitor.get('/console/session')).body.data.notices

test('A password link that a colleague makes is shown in every session of the user, with who made it and when', async (t) => {
  const { url, clock, owner, admin, member } = await open(t)
  const elsewhere = visit(url)
  await signIn(elsewhere, 'member@acme.example')

  await admin.post(`/console/users/${member.id}/invitation`)

  const notice = {
    kind: 'password_link',
    created_at: new Date(clock.now()).toISOString(),
    former_email: null,
    author: { full_name: 'The admin', email: 'admin@acme.example' },
  }
  const next = visit(url)
  const { body } = await signIn(next, 'member@acme.example')
  assert.deepEqual(body.data.notices, [notice])
  for (const session of [member, elsewhere, next]) assert.deepEqual(await noticesOf(session), [notice])
  for (const other of [owner, admin]) assert.deepEqual(await noticesOf(other), [])
})

test('Once the user has read the notices, no session shows them any more, but what happens later is shown', async (t) => {
  const { url, clock, owner, admin, member } = await open(t)
  await admin.post(`/console/users/${member.id}/invitation`)
  const [{ created_at: until }] = await noticesOf(member)
  clock.advance(60_000)
  await owner.post(`/console/users/${member.id}/invitation`)

  for (const bad of [{}, { until: 1 }]) assertError(await member.post(read, bad), 400, 'VALIDATION_ERROR')
  assert.equal((await admin.post(read, { until: '9999' })).status, 200)
  assert.equal((await noticesOf(member)).length, 2)
  assert.equal((await member.post(read, { until })).status, 200)

  const next = visit(url)
  await signIn(next, 'member@acme.example')
  for (const session of [member, next]) {
    assert.deepEqual(
      (await noticesOf(session)).map(({ author }: { author: object }) => author),
      [{ full_name: 'Ada Weber', email: 'ada@acme.example' }],
    )
  }
})

test('An email that somebody else changes is shown with the former one, also after it was changed again', async (t) => {
  const { admin, member } = await open(t)

  await admin.patch(`/console/users/${member.id}`, { email: 'thief@evil.example' })
  await admin.patch(`/console/users/${member.id}`, { email: 'thief2@evil.example', full_name: 'Max' })
  await admin.patch(`/console/users/${member.id}`, { full_name: 'Max Weber' })

  const notices = await noticesOf(member)
  assert.deepEqual(
    notices.map(({ kind, former_email }: Record<string, unknown>) => [kind, former_email]),
    [['email', 'member@acme.example']],
  )
})

test('Nobody is told what they did themselves with their password, nor about a first invitation', async (t) => {
  const { url, owner, admin, member } = await open(t)

  await member.patch('/console/account', { email: 'max@acme.example', current_password: password })
  await admin.patch(`/console/users/${member.id}`, { full_name: 'Max' })
  const { user } = (await owner.post('/console/users', { full_name: 'Eve', email: 'eve@acme.example' })).body.data
  await admin.patch(`/console/users/${user.id}`, { email: 'eva@acme.example' })
  const { invitation: token } = (await owner.post(`/console/users/${user.id}/invitation`)).body.data

  const joined = await visit(url).post('/console/invitation/accept', { token, password: 'another horse battery' })
  assert.deepEqual([joined.status, joined.body.data.notices], [201, []])
  assert.deepEqual(await noticesOf(member), [])
})

test('Whoever signs in with a link that somebody else has made sees that, too', async (t) => {
  const { url, admin, member } = await open(t)
  const { invitation: token } = (await admin.post(`/console/users/${member.id}/invitation`)).body.data

  const { body } = await visit(url).post('/console/invitation/accept', { token, password: 'another horse battery' })

  assert.equal(body.data.notices[0].kind, 'password_link')
})

test('A colleague cannot push a notice out with many others', async (t) => {
  const { admin, member } = await open(t)
  await admin.patch(`/console/users/${member.id}`, { email: 'thief@evil.example' })

  for (let n = 0; n < 30; n++) await admin.post(`/console/users/${member.id}/invitation`)

  const kinds = (await noticesOf(member)).map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(kinds.sort(), ['email', 'password_link'])
})

test('The log has who made and revoked a password link and who changed an email, for admin:all only, and no secret', async (t) => {
  const { store, owner, admin, member, keyOf } = await open(t)
  const [all, reading] = [await keyOf({ scopes: ['admin:all'] }), await keyOf({ scopes: ['read:all'] })]
  const testing = await keyOf({ scopes: ['admin:all'], environment: 'test' })
  const before = (await readChanges(all)).length

  const { invitation } = (await admin.post(`/console/users/${member.id}/invitation`)).body.data
  await admin.delete(`/console/users/${member.id}/invitation`)
  await owner.patch(`/console/users/${member.id}`, { email: 'max@acme.example' })
  assertError(await admin.delete(`/console/users/${member.id}/invitation`), 404, 'NOT_FOUND')

  const changes = (await readChanges(all)).slice(before)
  const adminActor = { type: 'user', id: admin.id, name: 'The admin' }
  const shown = changes.map(({ type, record_id, changed, previous }) => [type, record_id, changed, previous])
  const link = changes[1].previous.password_link
  assert.match(link, /^\d{4}-\d\d-\d\dT/)
  assert.deepEqual(shown, [
    ['user.updated', member.id, ['password_link'], { password_link: null }],
    ['user.updated', member.id, ['password_link'], { password_link: link }],
    ['user.updated', member.id, ['email'], { email: 'member@acme.example' }],
  ])
  assert.deepEqual([changes[0].actor, changes[1].actor], [adminActor, adminActor])
  assert.deepEqual(changes[2].data, (await all.get(`/api-v1-users/${member.id}`)).body.data)
  assert.ok(!JSON.stringify(changes).includes(invitation))
  assert.equal((await readChanges(reading)).filter(({ resource }) => resource === 'user').length, 0)
  assert.equal((await readChanges(testing)).filter(({ resource }) => resource === 'user').length, 0)
  assert.deepEqual([...verifyLog(loggedResources, store.workspace(1))], [])
  const history = (await all.get(`/api-v1-users/${member.id}/history`)).body.data
  assert.deepEqual(history[0].changed, ['email'])
})
