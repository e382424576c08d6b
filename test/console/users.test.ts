import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, password, signIn, visit } from '../support/visitor.ts'

const forbidden = [403, 'INSUFFICIENT_PERMISSIONS'] as const

test('A user changes the own name, and the own email only with the password, and signs in with it from then on', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const member = await newColleague(server, 'member')
  const email = 'Max.New@acme.example'

  const named = await member.patch('/console/account', { full_name: 'Max Weber' })
  assert.deepEqual([named.status, named.body.data.full_name], [200, 'Max Weber'])
  for (const current_password of [undefined, 'wrong horse battery', 'x'.repeat(5000)]) {
    const refused = await member.patch('/console/account', { email, current_password })
    assertError(refused, 400, 'VALIDATION_ERROR', undefined, ['current_password'])
  }
  const moved = await member.patch('/console/account', { email, current_password: password })
  assert.deepEqual([moved.status, moved.body.data.email, moved.body.data.role], [200, email, 'member'])
  assertError(await signIn(visit(server.url), 'member@acme.example'), 401, 'UNAUTHORIZED')
  assert.equal((await signIn(visit(server.url), email.toLowerCase())).status, 201)
})

test('An account takes neither the email of a colleague, in any case, nor a text that is none, nor a role', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const change = (email: string) => member.patch('/console/account', { email, current_password: password })

  assertError(await change('ADA@acme.example'), 409, 'ALREADY_EXISTS', undefined, ['email'])
  assertError(await change('nobody'), 400, 'VALIDATION_ERROR', undefined, ['email'])
  assert.equal((await member.patch('/console/account', { role: 'owner' })).body.data.role, 'member')
  const refused = await owner.patch(`/console/users/${member.id}`, { email: 'ada@acme.example' })
  assertError(refused, 409, 'ALREADY_EXISTS', undefined, ['email'])
})

test('Ten wrong passwords for a new email lock it, also with the right one', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const change = (current_password: string) =>
    owner.patch('/console/account', { email: 'new@acme.example', current_password })

  for (let i = 0; i < 10; i++) await change('wrong horse battery')

  assertError(await change(password), 429, 'RATE_LIMIT_EXCEEDED')
})

test('Admins change the emails of members but not of owners, and nobody the own one without the password', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const member = await newColleague(server, 'member')
  const ownerId = (await owner.get('/console/session')).body.data.user.id
  const foreigner = await (await server.company('Nordwind')).client.addUser()

  const moved = await admin.patch(`/console/users/${member.id}`, { email: 'max@acme.example' })
  assert.deepEqual([moved.status, moved.body.data.email], [200, 'max@acme.example'])
  assertError(await admin.patch(`/console/users/${ownerId}`, { email: 'x@acme.example' }), ...forbidden)
  assertError(await admin.patch(`/console/users/${admin.id}`, { email: 'x@acme.example' }), ...forbidden)
  assertError(await member.patch(`/console/users/${admin.id}`, { email: 'x@acme.example' }), ...forbidden)
  assertError(await owner.patch(`/console/users/${foreigner}`, { email: 'x@acme.example' }), 404, 'NOT_FOUND')
})

test('Admins see the open links of their company with their ends, renew and revoke them', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const member = await newColleague(server, 'member')
  const add = async (email: string, role = 'member') =>
    (await owner.post('/console/users', { full_name: 'Max', email, role })).body.data
  const { user, invitation } = await add('max@acme.example')
  const links = async () => (await admin.get('/console/invitations')).body.data
  const look = (token: string) => visit(server.url).post('/console/invitation', { token })

  const [link, ...more] = await links()
  assert.deepEqual([link.user_id, link.is_expired, more], [user.id, false, []])
  assertError(await member.get('/console/invitations'), ...forbidden)
  assertError(await member.delete(`/console/users/${user.id}/invitation`), ...forbidden)
  assert.equal((await admin.delete(`/console/users/${user.id}/invitation`)).status, 200)
  assertError(await look(invitation), 404, 'NOT_FOUND')
  assertError(await admin.delete(`/console/users/${user.id}/invitation`), 404, 'NOT_FOUND')

  await admin.post(`/console/users/${user.id}/invitation`)
  server.clock.advance(8 * dayMs)
  assert.equal((await links())[0].is_expired, true)
  const second = await add('eve@acme.example', 'owner')
  assertError(await admin.delete(`/console/users/${second.user.id}/invitation`), ...forbidden)
})

test('A link that was meant for another address ends when the email is changed', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const made = await owner.post('/console/users', { full_name: 'Max', email: 'mxa@acme.example' })
  const { user, invitation } = made.body.data

  await owner.patch(`/console/users/${user.id}`, { email: 'max@acme.example' })

  const refused = await visit(server.url).post('/console/invitation/accept', { token: invitation, password })
  assertError(refused, 404, 'NOT_FOUND')
  assert.deepEqual((await owner.get('/console/invitations')).body.data, [])
})

test('A company has at most 10,000 users, because all of them are listed at once', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  await server.store.writeAccess((tx) =>
    tx.run(`WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 9998)
      INSERT INTO user SELECT printf('00000000-0000-7000-8000-%012d', value), company_id, full_name, full_name_key,
        value || email, value || email_key, 'member', 0, NULL, created_at, updated_at FROM user CROSS JOIN number`),
  )
  const add = (email: string) => owner.post('/console/users', { full_name: 'Grace Hopper', email })

  assert.equal((await add('last@acme.example')).status, 201)
  assertError(await add('next@acme.example'), 409, 'CONFLICT')

  assert.equal((await owner.get('/console/users')).body.data.length, 10_000)
})
