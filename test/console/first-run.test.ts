import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertUser } from '../../src/access/user.ts'
import { foundCompany } from '../../src/crm/found-company.ts'
import { assertError } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { serve } from '../support/serve.ts'
import { start } from '../support/start.ts'
import { password, tokenOf, type Visitor, visit } from '../support/visitor.ts'

const person = { full_name: 'Eve', email: 'eve@evil.example', password }

test('On an empty data directory the link makes the company and its owner, who is signed in', async (t) => {
  const server = await start(t)

  const owner = await useLink(server)

  const { data } = (await owner.get('/console/session')).body
  assert.deepEqual([data.company.name, data.company.plan], ['Acme', 'enterprise'])
  assert.deepEqual([data.user.full_name, data.user.role, data.user.is_active], ['Ada Weber', 'owner', true])
  assert.equal((await owner.get('/api-v1-stages')).body.pagination.total, 6)
})

test('The link dies when it is used', async (t) => {
  const server = await start(t)
  await useLink(server)
  const visitor = visit(server.url)

  const token = tokenOf(server)

  assertError(await visitor.post('/console/setup/check', { token }), 404, 'NOT_FOUND')
  assertError(await visitor.post('/console/setup', { token, company_name: 'Evil', ...person }), 404, 'NOT_FOUND')
  assertError(await visitor.get('/console/session'), 401, 'UNAUTHORIZED')
})

test('The link dies with the process, and there is none once somebody can sign in', async (t) => {
  const directory = temporaryDirectory(t)
  const first = await serve(t, { directory })
  await first.stop()
  const second = await serve(t, { directory })

  assert.notEqual(first.setupPath, second.setupPath)
  const old = await visit(second.url).post('/console/setup', { token: tokenOf(first), company_name: 'Evil', ...person })
  assertError(old, 404, 'NOT_FOUND')
  await useLink(second)
  await second.stop()
  const third = await serve(t, { directory })

  assert.equal(third.setupPath, undefined)
})

test('Used twice at once, it makes one owner', async (t) => {
  const server = await start(t)
  const body = { token: tokenOf(server), company_name: 'Acme', ...person }

  const answers = await Promise.all([0, 1].map(() => visit(server.url).post('/console/setup', body)))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404])
  assert.equal(server.store.access.value('SELECT count(*) FROM user'), 1)
  assert.equal(server.store.access.value('SELECT count(*) FROM company'), 1)
})

test('A company that the command line made without users gets its owner by the link', async (t) => {
  const directory = temporaryDirectory(t)
  const first = await serve(t, { directory })
  await first.store.writeAccess((tx) => foundCompany(tx, { name: 'Nordwind', plan: 'starter' }))
  await first.stop()
  const server = await serve(t, { directory })

  const check = await visit(server.url).post('/console/setup/check', { token: tokenOf(server) })
  const owner = await useLink(server)

  assert.equal(check.body.data.company_name, 'Nordwind')
  assert.equal((await owner.get('/console/session')).body.data.company.name, 'Nordwind')
})

test('A user that the command line makes meanwhile ends the link', async (t) => {
  const server = await start(t)
  await server.store.writeAccess((tx) => {
    const { id } = foundCompany(tx, { name: 'Nordwind', plan: 'free' })
    insertUser(tx, { companyId: id, fullName: 'Max', email: 'max@nordwind.example', role: 'owner' })
  })

  const answer = await visit(server.url).post('/console/setup', {
    token: tokenOf(server),
    company_name: 'x',
    ...person,
  })

  assertError(answer, 404, 'NOT_FOUND')
})

test('What is missing or wrong in the first run is told field by field, and the link lives on', async (t) => {
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

/** What the page behind the link does. */
async function useLink(server: { url: string; setupPath: string | undefined }): Promise<Visitor> {
  const visitor = visit(server.url)
  const body = { company_name: 'Acme', full_name: 'Ada Weber', email: 'ada@acme.example', password }
  const { status } = await visitor.post('/console/setup', { token: tokenOf(server), ...body })
  assert.equal(status, 201)
  return visitor
}
