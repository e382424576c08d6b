import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertSetupLink } from '../../src/access/setup-link.ts'
import { insertUser } from '../../src/access/user.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { dayMs } from '../../src/lib/clock.ts'
import type { Store } from '../../src/store/store.ts'
import { assertError } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'
import { password, tokenOf, type Visitor, visit } from '../support/visitor.ts'

const person = { full_name: 'Eve', email: 'eve@evil.example', password }

test('On an empty data directory, the link creates the company and its owner, who is signed in', async (t) => {
  const server = await start(t)

  const owner = await useLink(server)

  const { data } = (await owner.get('/console/session')).body
  assert.deepEqual([data.company.name, data.company.plan], ['Acme', 'enterprise'])
  assert.deepEqual([data.user.full_name, data.user.role, data.user.is_active], ['Ada Weber', 'owner', true])
  assert.equal((await owner.get('/api-v1-stages')).body.pagination.total, 6)
})

test('Anyone can see whether the first user is missing, and nothing else', async (t) => {
  const server = await start(t)
  const before = await visit(server.url).get('/console/setup')
  await useLink(server)
  const after = await visit(server.url).get('/console/setup')

  assert.deepEqual([before.status, before.body], [200, { data: { needed: true } }])
  assert.deepEqual([after.status, after.body], [200, { data: { needed: false } }])
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
  assertError(await visit(server.url).get('/console/setup', crossSite), 403, 'INSUFFICIENT_PERMISSIONS')
})

test('The link works once', async (t) => {
  const server = await start(t)
  await useLink(server)
  const visitor = visit(server.url)

  const token = tokenOf(server)

  assertError(await visitor.post('/console/setup/check', { token }), 404, 'NOT_FOUND')
  assertError(await visitor.post('/console/setup', { token, company_name: 'Evil', ...person }), 404, 'NOT_FOUND')
  assertError(await visitor.get('/console/session'), 401, 'UNAUTHORIZED')
})

test('The link survives a restart, which creates no other, and expires after a day', async (t) => {
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const first = await start(t, { directory, clock })
  await first.stop()
  const second = await start(t, { directory, clock })
  const isValid = async () => {
    const { status } = await visit(second.url).post('/console/setup/check', { token: tokenOf(first) })
    return status === 200
  }

  assert.equal(second.setupPath, undefined)
  assert.equal(await isValid(), true)
  clock.advance(dayMs)
  assert.equal(await isValid(), false)
  const late = { token: tokenOf(first), company_name: 'Evil', ...person }
  assertError(await visit(second.url).post('/console/setup', late), 404, 'NOT_FOUND')
})

test('A newer link invalidates the former one, even if a command creates it while the server is running', async (t) => {
  const server = await start(t)

  const { token } = await withStore(server.directory, (store) => store.writeAccess(insertSetupLink))

  const old = await visit(server.url).post('/console/setup/check', { token: tokenOf(server) })
  assertError(old, 404, 'NOT_FOUND')
  assert.equal((await useLink(server, token)).cookie !== undefined, true)
  await assert.rejects(server.store.writeAccess(insertSetupLink), { code: 'CONFLICT' })
})

test('The database does not contain the link’s token', async (t) => {
  const server = await start(t)

  const stored = JSON.stringify(server.store.access.rows('SELECT * FROM setup_link'))

  assert.match(stored, /"hash":"[0-9a-f]{64}"/)
  assert.ok(!stored.includes(tokenOf(server)))
})

test('A server that already has a company creates no link by itself', async (t) => {
  const directory = temporaryDirectory(t)
  const found = (store: Store) => store.writeAccess((tx) => createCompany(tx, { name: 'Nordwind', plan: 'starter' }))
  await withStore(directory, found, { create: true })

  const server = await start(t, { directory })

  assert.equal(server.setupPath, undefined)
  assert.equal(server.store.access.value('SELECT count(*) FROM setup_link'), 0)
})

test('Using the link twice at the same time creates one owner', async (t) => {
  const server = await start(t)
  const body = { token: tokenOf(server), company_name: 'Acme', ...person }

  const responses = await Promise.all([0, 1].map(() => visit(server.url).post('/console/setup', body)))

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 404])
  assert.equal(server.store.access.value('SELECT count(*) FROM user'), 1)
  assert.equal(server.store.access.value('SELECT count(*) FROM company'), 1)
})

test('A company that the command line created without users gets its owner through a link, and the name that the owner gives it', async (t) => {
  const directory = temporaryDirectory(t)
  const found = (store: Store) =>
    store.writeAccess((tx) => {
      createCompany(tx, { name: 'Nordwind', plan: 'starter' })
      return insertSetupLink(tx)
    })
  const { token } = await withStore(directory, found, { create: true })
  const server = await start(t, { directory })

  const check = await visit(server.url).post('/console/setup/check', { token })
  const owner = await useLink(server, token)

  assert.equal(check.body.data.company_name, 'Nordwind')
  const { company } = (await owner.get('/console/session')).body.data
  assert.deepEqual([company.name, company.plan], ['Acme', 'starter'])
})

test('There is no link if several companies have no users', async (t) => {
  const server = await start(t)
  await server.company('Acme')
  await server.company('Nordwind')

  await assert.rejects(server.store.writeAccess(insertSetupLink), { code: 'CONFLICT', message: /kontor user create/ })
  const late = await visit(server.url).post('/console/setup/check', { token: tokenOf(server) })
  assertError(late, 404, 'NOT_FOUND')
})

test('A user that the command line creates invalidates the link', async (t) => {
  const server = await start(t)
  await server.store.writeAccess((tx) => {
    const { id } = createCompany(tx, { name: 'Nordwind', plan: 'free' })
    insertUser(tx, { companyId: id, fullName: 'Max', email: 'max@nordwind.example', role: 'owner' })
  })

  const response = await visit(server.url).post('/console/setup', {
    token: tokenOf(server),
    company_name: 'x',
    ...person,
  })

  assertError(response, 404, 'NOT_FOUND')
})

test('Invalid fields in the first run are reported one by one, and the link stays valid', async (t) => {
  const server = await start(t)
  const visitor = visit(server.url)
  const token = tokenOf(server)
  const valid = { token, company_name: 'Acme', ...person }

  const missing = await visitor.post('/console/setup', { token, company_name: '', email: 5 })
  const short = await visitor.post('/console/setup', { ...valid, password: 'short' })
  const address = await visitor.post('/console/setup', { ...valid, email: 'nobody' })

  assertError(missing, 400, 'VALIDATION_ERROR', 'Company name is required', [
    'company_name',
    'full_name',
    'email',
    'password',
  ])
  assertError(short, 400, 'VALIDATION_ERROR', 'Password must have 10 to 200 characters', ['password'])
  assertError(address, 400, 'VALIDATION_ERROR', undefined, ['email'])
  assert.equal((await visitor.post('/console/setup', valid)).status, 201)
})

/** Sends the requests of the page that the link opens. */
async function useLink(
  server: { url: string; setupPath: string | undefined },
  token = tokenOf(server),
): Promise<Visitor> {
  const visitor = visit(server.url)
  const body = { company_name: 'Acme', full_name: 'Ada Weber', email: 'ada@acme.example', password }
  const { status } = await visitor.post('/console/setup', { token, ...body })
  assert.equal(status, 201)
  return visitor
}
