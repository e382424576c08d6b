import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, password, signIn, visit } from '../support/visitor.ts'

const grace = { full_name: 'Grace Hopper', email: 'grace@acme.example', role: 'member' }

test('A new user chooses a password with the link, once, and is signed in', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { user, invitation } = (await owner.post('/console/users', grace)).body.data
  const visitor = visit(server.url)

  assertError(await signIn(visitor, grace.email), 401, 'UNAUTHORIZED')
  const shown = await visitor.post('/console/invitation', { token: invitation })
  const accepted = await visitor.post('/console/invitation/accept', { token: invitation, password })

  assert.deepEqual(shown.body.data, { full_name: grace.full_name, email: grace.email, company_name: 'Acme' })
  assert.deepEqual([accepted.status, accepted.body.data.user.id], [201, user.id])
  assert.equal((await signIn(visit(server.url), grace.email)).status, 201)
  assertError(await visit(server.url).post('/console/invitation', { token: invitation }), 404, 'NOT_FOUND')
  assertError(await visitor.post('/console/invitation/accept', { token: invitation, password }), 404, 'NOT_FOUND')
})

test('A password link ends after seven days, with a newer link, and when its user is deactivated', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const made = (await owner.post('/console/users', grace)).body.data
  const invite = async () => (await owner.post(`/console/users/${made.user.id}/invitation`)).body.data.invitation
  const isValid = async (token: string) =>
    (await visit(server.url).post('/console/invitation', { token })).status === 200

  const second = await invite()
  assert.deepEqual([await isValid(made.invitation), await isValid(second)], [false, true])
  server.clock.advance(7 * dayMs)
  assert.equal(await isValid(second), false)
  const third = await invite()
  await owner.patch(`/console/users/${made.user.id}`, { is_active: false })
  assert.equal(await isValid(third), false)
  assertError(await owner.post(`/console/users/${made.user.id}/invitation`), 409, 'CONFLICT')
})

test('A password has at least ten characters', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { invitation: token } = (await owner.post('/console/users', grace)).body.data
  const accept = (password: string) => visit(server.url).post('/console/invitation/accept', { token, password })

  assertError(await accept('123456789'), 400, 'VALIDATION_ERROR', undefined, ['password'])
  assert.equal((await accept('1234567890')).status, 201)
})

test('A new link lets a user who lost the password choose another, which ends the former sessions', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')

  const { invitation } = (await owner.post(`/console/users/${member.id}/invitation`)).body.data
  const again = visit(server.url)
  await again.post('/console/invitation/accept', { token: invitation, password: 'another horse battery' })

  assertError(await member.get('/console/session'), 401, 'UNAUTHORIZED')
  assert.equal((await again.get('/console/session')).status, 200)
})

test('A password change invalidates the link, and so does a deactivation, even after reactivation', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const invite = async () => (await owner.post(`/console/users/${member.id}/invitation`)).body.data.invitation
  const isValid = async (token: string) =>
    (await visit(server.url).post('/console/invitation', { token })).status === 200

  const first = await invite()
  const change = { current_password: password, new_password: 'another horse battery' }
  assert.equal((await member.post('/console/password', change)).status, 200)
  assert.equal(await isValid(first), false)
  const second = await invite()
  for (const is_active of [false, true]) await owner.patch(`/console/users/${member.id}`, { is_active })
  assert.equal(await isValid(second), false)
  assert.equal(await isValid(await invite()), true)
})

test('Deactivating a user revokes the personal keys; reactivation restores only the sign-in', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const { id } = (await member.post('/api-v1-keys', { name: 'Mine', scopes: ['read:all'] })).body.data

  await owner.patch(`/console/users/${member.id}`, { is_active: false })
  await owner.patch(`/console/users/${member.id}`, { is_active: true })

  assert.notEqual((await owner.get(`/api-v1-keys/${id}`)).body.data.revoked_at, null)
  assert.equal((await signIn(visit(server.url), 'member@acme.example')).status, 201)
})

test('An existing address, an unknown role and missing fields are reported', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const add = (change: object) => owner.post('/console/users', { ...grace, ...change })

  assertError(await add({ email: 'ADA@acme.example' }), 409, 'ALREADY_EXISTS')
  assertError(await add({ role: 'king' }), 400, 'VALIDATION_ERROR', undefined, ['role'])
  assertError(await add({ email: 'grace' }), 400, 'VALIDATION_ERROR', undefined, ['email'])
  assertError(await add({ full_name: null, email: null }), 400, 'VALIDATION_ERROR', undefined, ['full_name', 'email'])
  assertError(await add({ full_name: 'a\0b' }), 400, 'VALIDATION_ERROR', undefined, ['full_name'])
})
