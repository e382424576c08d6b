import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword } from '../../src/access/password.ts'
import { deactivateUser, insertUser } from '../../src/access/user.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, password, sessionsIn, signIn, visit } from '../support/visitor.ts'

const email = 'ada@acme.example'

test('Email, case-insensitively, and password open a session whose cookie scripts and other sites cannot use', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const visitor = visit(server.url)

  const response = await signIn(visitor, ' Ada@ACME.example ')

  assert.equal(response.status, 201)
  assert.equal(response.body.data.user.email, email)
  const cookie = response.headers.get('set-cookie')!
  assert.match(cookie, /^kontor_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
  assert.equal((await visitor.get('/console/session')).body.data.user.email, email)
})

const byProxy = { 'X-Forwarded-Proto': 'https' }
const byPage = { 'Sec-Fetch-Site': 'same-origin' }

for (const [from, trusted, headers, secure] of [
  ['a trusted proxy that was asked by HTTPS', ['loopback'], byProxy, true],
  ['a proxy that is not among the trusted ones', ['10.0.0.0/8'], byProxy, false],
  ['anyone, without trusted proxies', [], byProxy, false],
  ['a browser that asked a proxy by HTTPS', [], { Origin: 'https://crm.example', ...byPage }, true],
  ['a browser that asked by HTTP', ['loopback'], { Origin: 'http://crm.example', ...byPage }, false],
] as const) {
  test(`The cookie for ${from} is ${secure ? '' : 'not '}Secure`, async (t) => {
    const server = await start(t, { limits: { trustedProxies: [...trusted] } })
    await newOwner(server)

    const response = await visit(server.url).post('/console/session', { email, password }, { ...headers })

    const cookie = response.headers.get('set-cookie')!
    assert.equal(cookie.endsWith('; Secure'), secure)
    assert.equal(cookie.startsWith('__Host-kontor_session='), secure)
  })
}

test('Over HTTPS, a session is accepted only from a __Host- cookie', async (t) => {
  const server = await start(t, { limits: { trustedProxies: ['loopback'] } })
  const { cookie } = await newOwner(server)
  const hostCookie = `__Host-${cookie}`
  const ask = async (given: string, headers: Record<string, string>) =>
    (await visit(server.url).get('/api-v1-deals', { Cookie: given, ...headers })).status

  assert.deepEqual([await ask(hostCookie, byProxy), await ask(cookie!, byProxy)], [200, 401])
  assert.equal(await ask(cookie!, { Origin: server.url.replace('http:', 'https:') }), 401)
  assert.deepEqual([await ask(hostCookie, {}), await ask(cookie!, {})], [200, 200])
  const other = `kontor_session=${'x'.repeat(43)}`
  assert.equal(await ask(`${other}; ${hostCookie}`, {}), 200)
})

test('Signing out over HTTPS removes the __Host- cookie', async (t) => {
  const server = await start(t, { limits: { trustedProxies: ['loopback'] } })
  const { cookie } = await newOwner(server)

  const out = await visit(server.url).delete('/console/session', { Cookie: `__Host-${cookie}`, ...byProxy })

  assert.match(out.headers.get('set-cookie')!, /^__Host-kontor_session=; Path=\/; .*Max-Age=0; Secure$/)
})

test('The database stores sessions as hashes, and no passwords', async (t) => {
  const server = await start(t)
  const { cookie } = await newOwner(server)
  const token = cookie!.split('=')[1]!

  const stored = JSON.stringify([
    ...server.store.access.rows('SELECT * FROM session'),
    ...server.store.access.rows('SELECT * FROM user'),
  ])

  assert.ok(!stored.includes(token))
  assert.ok(!stored.includes(password))
})

test('A wrong password and an unknown address get the same response', async (t) => {
  const server = await start(t)
  await newOwner(server)

  const wrong = await signIn(visit(server.url), email, 'wrong horse battery')
  const unknown = await signIn(visit(server.url), 'nobody@acme.example')

  assertError(wrong, 401, 'UNAUTHORIZED', 'Email or password is wrong')
  assert.deepEqual(unknown.body, wrong.body)
  assert.deepEqual([...unknown.headers.keys()], [...wrong.headers.keys()])
})

test('Signing out ends this session; signing out everywhere ends all sessions of the user', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const [second, third] = [visit(server.url), visit(server.url)]
  await signIn(second, email)
  await signIn(third, email)
  const colleague = await newColleague(server, 'member')

  const cookie = third.cookie!
  const out = await third.delete('/console/session')

  assert.match(out.headers.get('set-cookie')!, /^kontor_session=; .*Max-Age=0/)
  third.cookie = cookie
  assertError(await third.get('/console/session'), 401, 'UNAUTHORIZED')
  assert.equal((await second.get('/console/session')).status, 200)
  await second.delete('/console/sessions')
  assertError(await owner.get('/console/session'), 401, 'UNAUTHORIZED')
  assert.equal((await colleague.get('/console/session')).status, 200)
})

test('A session ends after 30 days, and when its user is deactivated', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')

  await owner.patch(`/console/users/${member.id}`, { is_active: false })

  assertError(await member.get('/api-v1-deals'), 401, 'UNAUTHORIZED')
  assertError(await signIn(visit(server.url), 'member@acme.example'), 401, 'UNAUTHORIZED')
  server.clock.advance(30 * dayMs)
  assertError(await owner.get('/api-v1-deals'), 401, 'UNAUTHORIZED')
  await signIn(owner, email)
  assert.equal(sessionsIn(server.store), 1, 'what expired is removed')
})

test('Changing the password requires the current one and ends every other session', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const other = visit(server.url)
  await signIn(other, email)
  const change = (current: string, next: string) =>
    owner.post('/console/password', { current_password: current, new_password: next })

  const wrong = await change('wrong horse battery', 'another horse battery')
  const short = await change(password, 'short')
  const right = await change(password, 'another horse battery')

  assertError(wrong, 400, 'VALIDATION_ERROR', 'This is not your current password', ['current_password'])
  assertError(short, 400, 'VALIDATION_ERROR', undefined, ['new_password'])
  assert.equal(right.status, 200)
  assert.equal((await owner.get('/console/session')).status, 200)
  assertError(await other.get('/console/session'), 401, 'UNAUTHORIZED')
  assertError(await signIn(other, email), 401, 'UNAUTHORIZED')
  assert.equal((await signIn(other, email, 'another horse battery')).status, 201)
})

test('A user of two companies with the same password is asked to choose one', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const passwordHash = await hashPassword(password)
  const company = await server.store.writeAccess((tx) => {
    const made = createCompany(tx, { name: 'Nordwind', plan: 'free' })
    insertUser(tx, { companyId: made.id, fullName: 'Ada Weber', email, role: 'member', passwordHash })
    return made
  })
  const visitor = visit(server.url)

  const asked = await signIn(visitor, email)
  const chosen = await signIn(visitor, email, password, { company_id: company.id })
  await server.store.writeAccess((tx) => void deactivateUser(tx, chosen.body.data.user.id))
  const another = await signIn(visit(server.url), email, password, { company_id: company.id })

  assert.equal(asked.status, 200)
  assert.deepEqual(
    asked.body.data.companies.map(({ name }: { name: string }) => name),
    ['Acme', 'Nordwind'],
  )
  assert.equal(asked.headers.get('set-cookie'), null)
  assert.deepEqual([chosen.status, chosen.body.data.company.name], [201, 'Nordwind'])
  assert.deepEqual([another.status, another.body.data.companies.length], [200, 1], 'not signed in to another one')
})

test('A request of a page whose user is not that of the session is one without a session', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const colleague = await newColleague(server, 'member')
  const ofColleague = { 'Kontor-User': colleague.id }

  assert.equal((await colleague.get('/api-v1-organizations', ofColleague)).status, 200)
  assertError(await owner.get('/api-v1-organizations', ofColleague), 401, 'UNAUTHORIZED')
  assertError(await owner.post('/api-v1-organizations', { name: 'Nordwind' }, ofColleague), 401, 'UNAUTHORIZED')
  assertError(await owner.get('/console/read?get=/api-v1-organizations', ofColleague), 401, 'UNAUTHORIZED')
  assertError(await owner.delete('/console/session', ofColleague), 401, 'UNAUTHORIZED')

  assert.equal((await owner.get('/api-v1-organizations')).body.pagination.total, 0)
})
