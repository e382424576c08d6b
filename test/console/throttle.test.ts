import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Company, listCompanies } from '../../src/access/company.ts'
import { insertInvitation } from '../../src/access/invitation.ts'
import { deactivateUser, insertUser, setPassword } from '../../src/access/user.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { minuteMs } from '../../src/lib/clock.ts'
import type { Writer } from '../../src/store/reader.ts'
import { countOf } from '../access/limits.ts'
import { assertError } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'
import { cheapHash, newColleague, newOwner, password, sessionsIn, visit } from '../support/visitor.ts'
import { watchHashes } from './hashes.ts'

const email = 'ada@acme.example'
const [home, home2, elsewhere] = ['2001:db8:0:1::1', '2001:db8:0:1::2', '203.0.113.9']
const byProxy = { limits: { trustedProxies: ['loopback'] } }

interface Place {
  url: string
}

/** Signs in from an address, by default with the right password. */
function signIn({ url }: Place, from: string, given: object = {}) {
  return visit(url).post('/console/session', { email, password, ...given }, { 'X-Forwarded-For': from })
}

/** Uses up the attempts that an address has on an account. */
function guess(place: Place, from: string, given: object = {}, times = 10) {
  const wrong = { password: 'wrong horse battery', ...given }
  return Promise.all(Array.from({ length: times }, () => signIn(place, from, wrong)))
}

test('After ten wrong passwords in 15 minutes, an account rejects even the right one, whether or not it exists', async (t) => {
  const server = await start(t, byProxy)
  await newOwner(server)

  const guesses = await guess(server, elsewhere, {}, 12)
  const unknown = await guess(server, elsewhere, { email: 'nobody@acme.example' }, 12)

  assert.deepEqual([countOf(guesses, 401), countOf(guesses, 429)], [10, 2])
  assert.deepEqual([countOf(unknown, 401), countOf(unknown, 429)], [10, 2])
  const refused = await signIn(server, elsewhere)
  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(refused.headers.get('retry-after'), '900')
  server.clock.advance(15 * minuteMs)
  assert.equal((await signIn(server, elsewhere)).status, 201)
})

test('A user can sign in from a known address while others guess the password elsewhere', async (t) => {
  const server = await start(t, byProxy)
  await newOwner(server)
  assert.equal((await signIn(server, home)).status, 201)

  await guess(server, elsewhere)

  assertError(await signIn(server, elsewhere), 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal((await signIn(server, home)).status, 201)
  assert.equal((await signIn(server, home2)).status, 201, 'of the same /64')
  assertError(await signIn(server, '198.51.100.1'), 429, 'RATE_LIMIT_EXCEEDED')
  await guess(server, home)
  assertError(await signIn(server, home2), 429, 'RATE_LIMIT_EXCEEDED')
})

test('Knowing the password of an account in one company does not help to guess that in another', async (t) => {
  const server = await start(t, byProxy)
  await newOwner(server)
  const passwordHash = cheapHash('another horse battery')
  const company_id = await server.store.writeAccess((tx) => {
    const { id } = createCompany(tx, { name: 'Evil', plan: 'free' })
    insertUser(tx, { companyId: id, fullName: 'Eve', email, role: 'owner', passwordHash })
    return id
  })
  const evil = { password: 'another horse battery' }

  for (let n = 0; n < 10; n++) assert.equal((await signIn(server, elsewhere, evil)).status, 201)
  const guessed = await signIn(server, elsewhere)

  assertError(guessed, 401, 'UNAUTHORIZED')
  assert.equal((await signIn(server, elsewhere, { ...evil, company_id })).status, 201)
})

test('A password above the maximum length is wrong, and does not count as an attempt', async (t) => {
  const server = await start(t, byProxy)
  await newOwner(server)

  const responses = await guess(server, elsewhere, { password: 'x'.repeat(201) }, 50)

  assert.equal(countOf(responses, 401), 50)
  assert.equal(server.store.access.value('SELECT count(*) FROM sign_in_attempt'), 0)
  assert.equal((await signIn(server, elsewhere)).status, 201)
})

test('A restart does not unlock an account', async (t) => {
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const first = await start(t, { directory, clock, ...byProxy })
  await newOwner(first)
  await guess(first, elsewhere)
  await first.stop()

  const second = await start(t, { directory, clock, ...byProxy })

  assertError(await signIn(second, elsewhere), 429, 'RATE_LIMIT_EXCEEDED')
  clock.advance(15 * minuteMs)
  assert.equal((await signIn(second, elsewhere)).status, 201)
})

test('An address with too many sign-ins at once is rejected; others are not', async (t) => {
  const server = await start(t, byProxy)
  await newOwner(server)
  const users = Array.from({ length: 22 }, (_, n) => `n${n}@acme.example`)
  await server.store.writeAccess((tx) => {
    const [{ id: companyId }] = listCompanies(tx) as [Company]
    const passwordHash = cheapHash(password)
    for (const each of users) insertUser(tx, { companyId, fullName: 'N', email: each, role: 'member', passwordHash })
  })
  const [hashes, opened] = [watchHashes(t), Promise.withResolvers<void>()]
  hashes.gate = () => opened.promise
  const statuses: number[] = []

  const flood = users.map(async (each, n) => {
    const { status } = await signIn(server, n % 2 === 0 ? home : home2, { email: each })
    statuses.push(status)
    if (statuses.length === 4) opened.resolve() // all have arrived: two are being hashed, 16 wait
  })
  const other = signIn(server, elsewhere)
  await Promise.all(flood)

  assert.deepEqual(statuses.slice(0, 4), [503, 503, 503, 503])
  assert.deepEqual(new Set(statuses.slice(4)), new Set([201]))
  assert.equal((await other).status, 201)
})

test('A sign-in costs one hash, whether the address is unknown or of users in several companies', async (t) => {
  const server = await start(t, byProxy)
  await newOwner(server)
  const { id } = await server.company('Nordwind')
  const invitation = await server.store.writeAccess((tx) => {
    const user = insertUser(tx, { companyId: id, fullName: 'Ada', email, role: 'owner' })
    return insertInvitation(tx, user.id)
  })
  const accept = { token: invitation, password: 'another horse battery' }
  assert.equal((await visit(server.url).post('/console/invitation/accept', accept)).status, 201)
  await signIn(server, elsewhere) // replaces the hash by one with the current cost
  const hashes = watchHashes(t)

  for (const given of [{}, { password: accept.password }, { password: 'wrong' }, { email: 'nobody@acme.example' }]) {
    hashes.count = 0
    await signIn(server, elsewhere, given)
    assert.equal(hashes.count, 1, JSON.stringify(given))
  }
})

const overtaking: Record<string, (tx: Writer, id: string) => unknown> = {
  'is deactivated': deactivateUser,
  'gets another password': (tx, id) => setPassword(tx, id, cheapHash('another horse battery')),
}

for (const [happens, change] of Object.entries(overtaking)) {
  test(`A user who ${happens} while the password is being hashed is not signed in by the old one`, async (t) => {
    const server = await start(t)
    await newOwner(server)
    const { id } = await newColleague(server, 'member')
    const before = sessionsIn(server.store)
    const hashes = watchHashes(t)
    hashes.gate = () => server.store.writeAccess((tx) => void change(tx, id))

    const response = await signIn(server, elsewhere, { email: 'member@acme.example' })

    assertError(response, 401, 'UNAUTHORIZED')
    assert.equal(sessionsIn(server.store), before - 1, 'what there was has ended')
  })
}
