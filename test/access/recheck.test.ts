import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listCompanies } from '../../src/access/company.ts'
import { revokeKey, setKeyActive, updateKey } from '../../src/access/key.ts'
import { updatePlan } from '../../src/access/plan.ts'
import type { Role } from '../../src/access/role.ts'
import { removeSessions } from '../../src/access/session.ts'
import { deactivateUser, listUsers, updateUser } from '../../src/access/user.ts'
import type { Writer } from '../../src/store/reader.ts'
import { hold } from '../sandbox/held.ts'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { type Server, start } from '../support/start.ts'
import { newColleague, newOwner, password, type Visitor } from '../support/visitor.ts'
import { type Overtaken, serveOvertaken } from './overtake.ts'

const keys = '/api-v1-keys'
const newKey = { name: 'More', scopes: ['admin:all'] }

function rowsIn({ store }: Pick<Server, 'store'>, table: string): number {
  return store.access.value<number>(`SELECT count(*) FROM ${table}`)!
}

const bearer = ({ key }: Client) => ({ Authorization: `Bearer ${key}` })
const cookieOf = ({ cookie }: Visitor) => ({ Cookie: cookie!, 'Kontor-Environment': 'live' })

test('A key that is revoked while its request is arriving cannot create a key', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const held = await hold(server.url, ['POST', keys], bearer(client), newKey)

  await server.store.writeAccess((tx) => revokeKey(tx, client.keyId))
  const { status, body } = await held.finish()

  assert.deepEqual([status, JSON.parse(body).error.code], [401, 'API_KEY_REVOKED'])
  assert.equal(rowsIn(server, 'api_key'), 1)
})

test('An admin who is deactivated while a request is arriving cannot create a user', async (t) => {
  const server = await start(t)
  await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const body = { full_name: 'Eve', email: 'eve@evil.example', role: 'admin' }
  const held = await hold(server.url, ['POST', '/console/users'], cookieOf(admin), body)

  await server.store.writeAccess((tx) => deactivateUser(tx, admin.id))
  const { status } = await held.finish()

  assert.equal(status, 401)
  assert.equal(rowsIn(server, 'user'), 2)
})

test('A key that is revoked while its request is arriving does not get a stored response', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const once = { 'Idempotency-Key': 'one' }
  const { key } = (await client.post(keys, newKey, once)).body.data
  const held = await hold(server.url, ['POST', keys], { ...bearer(client), ...once }, newKey)

  await server.store.writeAccess((tx) => revokeKey(tx, client.keyId))
  const { status, body } = await held.finish()

  assert.equal(status, 401)
  assert.ok(!body.includes(key))
})

test('A key that expires while its request is arriving writes nothing', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const client = await company.key({ expiresAt: new Date(server.clock.now() + 1_000).toISOString() })
  const held = await hold(server.url, ['POST', '/api-v1-organizations'], bearer(client), { name: 'Late' })

  server.clock.advance(1_000)
  const { status, body } = await held.finish()

  assert.deepEqual([status, JSON.parse(body).error.code], [401, 'API_KEY_EXPIRED'])
  assert.equal((await company.client.get('/api-v1-organizations')).body.pagination.total, 0)
})

const forbidden = [403, 'INSUFFICIENT_PERMISSIONS'] as const
const inactive = [401, 'API_KEY_INACTIVE'] as const
const signedOut = [401, 'UNAUTHORIZED'] as const

/** A change of a key in the transaction before the key's own write, and the error of that write. */
const keyChanges: Record<string, [change: (tx: Writer, id: string) => unknown, ...refusal: readonly [number, string]]> =
  {
    'is revoked': [(tx, id) => revokeKey(tx, id), 401, 'API_KEY_REVOKED'],
    'is disabled': [(tx, id) => setKeyActive(tx, id, false), ...inactive],
    'loses the scope': [(tx, id) => updateKey(tx, id, { scopes: '["read:all"]' }), ...forbidden],
    expires: [(tx, id) => updateKey(tx, id, { expires_at: '2026-01-01T00:00:00.000Z' }), 401, 'API_KEY_EXPIRED'],
  }

const keyWrites: Record<string, (client: Client) => Promise<ApiResponse>> = {
  'creates a record': (client) => client.post('/api-v1-organizations', { name: 'Late' }),
  'creates a record once': (client) => client.post('/api-v1-contacts', { first_name: 'L' }, { 'Idempotency-Key': 'l' }),
  'creates a key': (client) => client.post(keys, newKey),
  'extends itself': (client) => client.patch(`${keys}/${client.keyId}`, { expires_at: null, name: 'Mine' }),
  'submits an import': (client) => client.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Late' }] }),
}

for (const [happens, [change, ...refusal]] of Object.entries(keyChanges)) {
  for (const [writes, request] of Object.entries(keyWrites)) {
    test(`A key that ${happens} right before it ${writes} is rejected inside the transaction`, async (t) => {
      const server = await serveOvertaken(t)
      const client = await server.client()
      const before = rowsIn(server, 'api_key')

      const response = await server.overtake(
        () => request(client),
        (tx) => change(tx, client.keyId),
      )

      assertError(response, ...refusal)
      for (const table of ['organization', 'contact', 'bulk_job', 'idempotent_answer'])
        assert.equal(rowsIn(server, table), 0)
      assert.equal(rowsIn(server, 'api_key'), before)
    })
  }
}

test('A write is rejected if the plan loses the feature, or reaches its limit, right before it', async (t) => {
  const server = await serveOvertaken(t)
  const client = await server.client()
  const create = () => client.post('/api-v1-contacts', { first_name: 'Late' })
  const submit = () => client.post('/api-v1-bulk/contacts', { records: [{ first_name: 'Late' }] })

  const full = await server.overtake(create, (tx) => updatePlan(tx, 'enterprise', { max_contacts: 0 }))
  const lacking = await server.overtake(submit, (tx) => updatePlan(tx, 'enterprise', { bulk_import: false }))

  assertError(full, 403, 'PLAN_LIMIT_EXCEEDED')
  assertError(lacking, 403, 'FEATURE_NOT_ENABLED')
})

type UserChange = (tx: Writer, id: string) => unknown
const demote: UserChange = (tx, id) => updateUser(tx, id, { role: 'member' })

/** A change that ends an admin's permission, and the errors that follow: for admins' requests, and for other users' requests. */
const userChanges: Record<string, [UserChange, admins: readonly [number, string], users?: readonly [number, string]]> =
  {
    'is deactivated': [(tx, id) => deactivateUser(tx, id), signedOut, signedOut],
    'is signed out': [(tx, id) => removeSessions(tx, id), signedOut, signedOut],
    'becomes a member': [demote, forbidden],
  }

const adminWrites: Record<string, (admin: Visitor, ownerId: string) => Promise<ApiResponse>> = {
  'adds a user': (admin) =>
    admin.post('/console/users', { full_name: 'Eve', email: 'eve@evil.example', role: 'admin' }),
  'changes a user': (admin, id) => admin.patch(`/console/users/${id}`, { full_name: 'Eve' }),
  'invites a user': (admin, id) => admin.post(`/console/users/${id}/invitation`),
  'renames the company': (admin) => admin.patch('/console/company', { name: 'Evil' }),
  'adds a stage': (admin) => admin.post('/api-v1-stages', { name: 'Evil' }),
  'makes a shared key': (admin) => admin.post(keys, newKey),
}

const userWrites: Record<string, (user: Visitor) => Promise<ApiResponse>> = {
  'makes a record': (user) => user.post('/api-v1-organizations', { name: 'Late' }),
  'changes the password': (user) =>
    user.post('/console/password', { current_password: password, new_password: 'another horse battery' }),
}

interface Admins extends Overtaken {
  admin: Visitor & { id: string }
  memberId: string
}

async function serveAdmins(t: TestContext, role: Role = 'admin'): Promise<Admins> {
  const server = await serveOvertaken(t)
  await newOwner(server)
  const admin = await newColleague(server, role)
  const { id: memberId } = await newColleague(server, 'member')
  return { ...server, admin, memberId }
}

/** Everything that such a request could have changed. */
function stateOf({ store }: Admins): string {
  const company = listCompanies(store.access)
  const tables = ['stage', 'api_key', 'organization', 'invitation'].map((table) => rowsIn({ store }, table))
  const users = listUsers(store.access, company[0]!.id).map(({ full_name }) => full_name)
  return JSON.stringify([company, tables, users, store.access.values('SELECT password_hash FROM user')])
}

for (const [happens, [change, ofAdmins, ofUsers]] of Object.entries(userChanges)) {
  for (const [writes, request] of Object.entries({ ...adminWrites, ...(ofUsers && userWrites) })) {
    test(`A request by which an admin ${writes} is rejected inside the transaction if the admin ${happens} right before it`, async (t) => {
      const server = await serveAdmins(t)
      const { admin, memberId } = server
      const before = stateOf(server)

      const response = await server.overtake(
        () => request(admin, memberId),
        (tx) => change(tx, admin.id),
      )

      assertError(response, ...(writes in userWrites ? ofUsers! : ofAdmins))
      assert.equal(stateOf(server), before)
    })
  }
}

test('An owner who becomes an admin right before making an owner is rejected inside the transaction', async (t) => {
  const server = await serveAdmins(t, 'owner')
  const { admin, memberId } = server
  const toAdmin: UserChange = (tx, id) => updateUser(tx, id, { role: 'admin' })

  const added = await server.overtake(
    () => admin.post('/console/users', { full_name: 'Eve', email: 'eve@evil.example', role: 'owner' }),
    (tx) => toAdmin(tx, admin.id),
  )
  const raised = await server.overtake(
    () => admin.patch(`/console/users/${memberId}`, { role: 'owner' }),
    (tx) => toAdmin(tx, admin.id),
  )

  assertError(added, ...forbidden)
  assertError(raised, ...forbidden)
})

test('A change that is rolled back leaves no trace in the key cache', async (t) => {
  const server = await serveOvertaken(t)
  const client = await server.client()

  const failed = await server.overtake(
    () => client.post('/api-v1-organizations', { name: 'First' }),
    (tx) => revokeKey(tx, client.keyId),
    (tx) => tx.run('ROLLBACK'), // as SQLite does after some failures of the disk
  )

  assertError(failed, 503, 'SERVICE_UNAVAILABLE')
  assert.equal((await client.post('/api-v1-organizations', { name: 'Second' })).status, 201)
})

test('A write by an unchanged key does not read the key again', async (t) => {
  const statements: string[] = []
  const slow = { ms: 0, report: ({ sql }: { sql: string }) => void statements.push(sql) }
  const client = await (await start(t, { slow })).client()
  await client.post('/api-v1-organizations', { name: 'First' })
  statements.length = 0

  await client.post('/api-v1-organizations', { name: 'Second' })

  assert.ok(statements.some((sql) => sql.startsWith('INSERT INTO main.organization')))
  assert.deepEqual(
    statements.filter((sql) => /\b(?:effective_)?(?:api_key|session|user)\b/.test(sql)),
    [],
  )
})
