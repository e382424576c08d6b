import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertSession } from '../../src/access/session.ts'
import { hourMs, minuteMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, password, sessionsIn, signIn, type Visitor, visit } from '../support/visitor.ts'

const email = 'ada@acme.example'
const phone = { 'User-Agent': 'Phone/1.0', 'X-Forwarded-For': '203.0.113.9' }
const byProxy = { limits: { trustedProxies: ['loopback'] } }

const sessionsOf = async (visitor: Visitor) => (await visitor.get('/console/sessions')).body.data

async function signInByPhone(url: string): Promise<Visitor> {
  const visitor = visit(url)
  assert.equal((await visitor.post('/console/session', { email, password }, phone)).status, 201)
  return visitor
}

test('A user sees where the own sessions began and when they were last used, and nobody else’s', async (t) => {
  const server = await start(t, byProxy)
  const laptop = await newOwner(server)
  await newColleague(server, 'admin')
  await signInByPhone(server.url)

  const [current, other, ...more] = await sessionsOf(laptop)

  assert.deepEqual([current.is_current, other.is_current, more], [true, false, []])
  assert.deepEqual([other.user_agent, other.address], ['Phone/1.0', '203.0.113.9'])
  assert.equal(other.last_used_at, other.created_at)
  const text = JSON.stringify([current, other])
  const hashes = server.store.access.values<string>('SELECT hash FROM session')
  for (const hash of hashes) assert.ok(!text.includes(hash), 'the whole hash of a session is shown')
})

test('The last use of a session is as exact as five minutes, and a session of an earlier version has one from its next use on', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const [{ last_used_at: first }] = await sessionsOf(owner)
  const usedAt = async () => {
    await owner.get('/console/session')
    await server.store.writeAccess(() => {}) // after the write of the use
    return server.store.access.value<string>('SELECT last_used_at FROM session')
  }

  server.clock.advance(4 * minuteMs)
  assert.equal(await usedAt(), first)
  server.clock.advance(hourMs)
  const later = await usedAt()
  assert.ok(later! > first)
  await server.store.writeAccess((tx) => tx.run('UPDATE session SET last_used_at = NULL'))
  assert.equal(await usedAt(), later)
})

test('A user ends one session or all others, and stays signed in', async (t) => {
  const server = await start(t)
  const laptop = await newOwner(server)
  const colleague = await newColleague(server, 'owner', 'eve@acme.example')
  const [first, second, third] = [visit(server.url), visit(server.url), visit(server.url)]
  for (const each of [first, second, third]) await signIn(each, email)
  const { id } = (await sessionsOf(first))[0]

  assertError(await colleague.delete(`/console/sessions/${id}`), 404, 'NOT_FOUND')
  assert.equal((await laptop.delete(`/console/sessions/${id}`)).status, 200)
  assertError(await first.get('/console/session'), 401, 'UNAUTHORIZED')
  assertError(await laptop.delete(`/console/sessions/${id}`), 404, 'NOT_FOUND')
  assert.equal((await second.get('/console/session')).status, 200)

  assert.equal((await laptop.delete('/console/other-sessions')).status, 200)
  for (const each of [second, third]) assertError(await each.get('/console/session'), 401, 'UNAUTHORIZED')
  for (const each of [laptop, colleague]) assert.equal((await each.get('/console/session')).status, 200)
  assert.equal(sessionsIn(server.store), 2)
})

test('A user has at most 1,000 sessions: another one ends that which was used longest ago', async (t) => {
  const server = await start(t)
  const [owner, colleague] = [await newOwner(server), await newColleague(server, 'member')]
  const { id } = (await owner.get('/console/session')).body.data.user
  server.clock.advance(hourMs)
  const idle = await signInByPhone(server.url)
  server.clock.advance(hourMs)
  await owner.get('/console/session') // used again, although it is the oldest
  await server.store.writeAccess((tx) => Array.from({ length: 998 }, () => insertSession(tx, id)))
  assert.equal(sessionsIn(server.store), 1_001)
  server.clock.advance(minuteMs)

  await signInByPhone(server.url)

  assert.equal(sessionsIn(server.store), 1_001)
  assertError(await idle.get('/console/session'), 401, 'UNAUTHORIZED')
  for (const each of [owner, colleague]) assert.equal((await each.get('/console/session')).status, 200)
})

test('Of the name of a browser, a session keeps the first 300 characters', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  await visit(server.url).post('/console/session', { email, password }, { 'User-Agent': 'x'.repeat(301) })

  const [, other] = await sessionsOf(owner)

  assert.equal(other.user_agent, 'x'.repeat(300))
})
