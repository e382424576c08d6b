import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../src/access/scopes.ts'
import { assertError, send } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const keys = '/api-v1-keys'
const organizations = '/api-v1-organizations'

/** The fields of a key (decisions E5, L3). */
const recordFields = [
  ...['id', 'name', 'description', 'prefix', 'environment', 'type', 'user_id', 'scopes', 'mcp_mode', 'is_active'],
  ...['expires_at', 'revoked_at', 'last_used_at', 'last_used_ip', 'request_count', 'created_at', 'updated_at'],
]

test('API keys', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const { client } = company
  const call = (key: string, path = organizations) =>
    send(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })

  await t.test('An API key is returned in full when it is created, and never again', async () => {
    const made = await client.post(keys, { name: ' Sync ', description: 'ERP', scopes: ['read:organizations'] })

    const { key, ...record } = made.body.data
    assert.equal(made.status, 201)
    assert.match(key, /^svc_live_[A-Za-z0-9]{32}$/)
    assert.deepEqual(Object.keys(record), recordFields)
    assert.deepEqual([record.name, record.prefix, record.type], ['Sync', key.slice(0, 24), 'shared'])
    assert.equal((await call(key)).status, 200)
    const later = [await client.get(made.headers.get('location')!), await client.get(keys)]
    assert.deepEqual(later[0]!.body.data, record)
    for (const { body } of later) assert.ok(!JSON.stringify(body).includes(key.slice(24)))
  })

  await t.test('By default a new key has the environment of the key that creates it', async () => {
    const sandbox = await company.key({ environment: 'test' })

    const own = await sandbox.post(keys, { name: 'A', scopes: ['read:all'] })
    const other = await client.post(keys, { name: 'B', scopes: ['read:all'] })
    const chosen = await client.post(keys, { name: 'C', scopes: ['read:all'], environment: 'test' })

    assert.match(own.body.data.key, /^svc_test_/)
    assert.match(other.body.data.key, /^svc_live_/)
    assert.deepEqual(
      [own, other, chosen].map(({ body }) => body.data.environment),
      ['test', 'live', 'test'],
    )
    const { id } = await make(client, 'organization')
    assert.equal((await call(own.body.data.key, `${organizations}/${id}`)).status, 404)
    assert.equal((await call(other.body.data.key, `${organizations}/${id}`)).status, 200)
  })

  await t.test('A key with an expiry in the past is rejected', async () => {
    const create = (expires_at: string) => client.post(keys, { name: 'Late', scopes: ['read:all'], expires_at })
    const [now, later] = [0, 1].map((ms) => new Date(server.clock.now() + ms).toISOString())

    for (const past of [now!, '2020-01-01', '2026-06-15']) {
      const response = await create(past)
      assertError(response, 400, 'VALIDATION_ERROR', 'Expires at must be in the future', ['expires_at'])
    }
    assert.equal((await create(later!)).status, 201)
  })

  await t.test('A key with a user is personal; the user must be active and of the company', async () => {
    const user = await client.addUser()
    const stranger = await (await server.company('Globex')).client.addUser()
    const gone = await client.addUser({ is_active: false })
    const create = (body: object) => client.post(keys, { name: 'P', scopes: ['read:all'], ...body })

    const personal = await create({ type: 'personal', user_id: user })
    const implied = await create({ user_id: user })

    for (const { body } of [personal, implied])
      assert.deepEqual([body.data.type, body.data.user_id], ['personal', user])
    for (const user_id of [stranger, gone, unknownId]) {
      assertError(await create({ user_id }), 400, 'VALIDATION_ERROR', 'User not found', ['user_id'])
    }
    assertError(await create({ type: 'personal' }), 400, 'VALIDATION_ERROR', undefined, ['user_id'])
    assertError(await create({ type: 'shared', user_id: user }), 400, 'VALIDATION_ERROR', undefined, ['user_id'])
    const invalid = await create({ type: 'personal', name: '', scopes: ['x'] })
    assertError(invalid, 400, 'VALIDATION_ERROR', 'Name is required', ['name', 'user_id', 'scopes'])
  })

  await t.test('A PATCH of the scopes takes effect with the next request', async () => {
    const { key, id } = (await client.post(keys, { name: 'A', scopes: ['read:all'] })).body.data
    assert.equal((await call(key)).status, 200)

    await client.patch(`${keys}/${id}`, { scopes: ['write:tasks'] })
    const narrowed = await call(key)
    await client.patch(`${keys}/${id}`, { is_active: false })
    const disabled = await call(key)
    await client.patch(`${keys}/${id}`, { is_active: true, expires_at: '2026-06-15' })
    const expired = await call(key)
    await client.patch(`${keys}/${id}`, { expires_at: null, scopes: ['read:organizations'] })
    const back = await call(key)

    assertError(narrowed, 403, 'INSUFFICIENT_PERMISSIONS')
    assertError(disabled, 401, 'API_KEY_INACTIVE')
    assertError(expired, 401, 'API_KEY_EXPIRED')
    assert.equal(back.status, 200)
  })

  await t.test('A PATCH cannot change environment, type and user of a key', async () => {
    const { id, ...made } = await make(client, 'api_key')

    const only = await client.patch(`${keys}/${id}`, { environment: 'test', type: 'personal', prefix: 'svc_live_x' })
    const patched = await client.patch(`${keys}/${id}`, { environment: 'test', name: 'Renamed' })

    assertError(only, 400, 'INVALID_REQUEST', 'No fields to update')
    assert.deepEqual(patched.body.data, { id, ...made, name: 'Renamed' })
  })

  await t.test(
    'A revoked key stays revoked: revoking it again returns the same response, a PATCH is a conflict',
    async () => {
      const { key, id } = (await client.post(keys, { name: 'A', scopes: ['read:all'] })).body.data
      const revoke = () => client.request('POST', `${keys}/${id}/revoke`)
      server.clock.advance(1000)

      const first = await revoke()
      server.clock.advance(1000)
      const second = await revoke()

      assert.equal(first.status, 200)
      assert.equal(first.body.data.revoked_at, first.body.data.updated_at)
      assert.equal(first.body.data.is_active, false)
      const inactive = (await client.get(`${keys}?is_active=false&limit=100`)).body.data
      assert.ok(inactive.some((record: JsonRecord) => record.id === id))
      assert.deepEqual(second.body, first.body)
      assertError(await call(key), 401, 'API_KEY_REVOKED')
      for (const patch of [{ is_active: true }, { name: 'Back' }, { expires_at: null, is_active: false }]) {
        assertError(await client.patch(`${keys}/${id}`, patch), 409, 'CONFLICT', 'A revoked API key cannot be changed')
      }
    },
  )

  await t.test('A key can revoke itself with its last request', async () => {
    const own = await company.key()

    const { status } = await own.request('POST', `${keys}/${own.keyId}/revoke`)

    assert.equal(status, 200)
    assertError(await own.get(keys), 401, 'API_KEY_REVOKED')
  })

  await t.test('A key cannot be deleted', async () => {
    const { id } = await make(client, 'api_key')

    const response = await client.delete(`${keys}/${id}`)

    assertError(response, 405, 'INVALID_REQUEST')
    assert.equal(response.headers.get('allow'), 'HEAD, GET, PATCH')
  })

  await t.test('Only a key with admin:all can create keys', async () => {
    const mighty = await company.key({ scopes: scopes.filter((scope) => scope !== 'admin:all') })

    for (const granted of [['admin:all'], ['read:contacts']]) {
      const response = await mighty.post(keys, { name: 'More', scopes: granted })

      assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions. Required scope: admin:all')
    }
  })

  await t.test('A key of another company is 404, like one that does not exist', async () => {
    const other = (await server.company('Globex')).client
    const { id } = await make(client, 'api_key')

    for (const asked of [id, '01a1fc9d-3466-7000-8000-02ef7101bc95', 'none']) {
      const responses = [
        await other.get(`${keys}/${asked}`),
        await other.patch(`${keys}/${asked}`, { is_active: false }),
        await other.request('POST', `${keys}/${asked}/revoke`),
        await other.get(`${keys}/${asked}/usage`),
      ]
      for (const response of responses) assertError(response, 404, 'NOT_FOUND', 'API key not found')
    }

    assert.equal((await client.get(`${keys}/${id}`)).body.data.is_active, true)
  })
})

test('The usage of a key', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const used = await company.key({ scopes: ['read:organizations'] })
  const usage = (query = '') => company.client.get(`${keys}/${used.keyId}/usage${query}`)
  const none = { requests: 0, succeeded: 0, rejected: 0, rate_limited: 0, failed: 0 }
  await used.get(organizations)
  await used.get('/api-v1-contacts')
  server.clock.advance(2 * 86_400_000)
  await used.get(organizations)
  await server.usage.flush()

  await t.test('The usage of a key lists days without requests, too; by default the last thirty', async () => {
    const { status, body } = await usage()

    const { from, to, total, days } = body.data
    assert.equal(status, 200)
    assert.deepEqual([from, to, days.length], ['2026-05-19', '2026-06-17', 30])
    assert.deepEqual(total, { ...none, requests: 3, succeeded: 2, rejected: 1 })
    assert.deepEqual(days.slice(-3), [
      { day: '2026-06-15', ...none, requests: 2, succeeded: 1, rejected: 1 },
      { day: '2026-06-16', ...none },
      { day: '2026-06-17', ...none, requests: 1, succeeded: 1 },
    ])
    assert.deepEqual(
      days.slice(0, -3),
      days.slice(0, -3).map(({ day }: JsonRecord) => ({ day, ...none })),
    )
  })

  await t.test('The usage of a key can be read between two days, both included, up to a year', async () => {
    const { body } = await usage('?from=2026-06-16&to=2026-06-16')
    const year = await usage('?from=2025-06-17&to=2026-06-17')

    assert.deepEqual(body.data.days, [{ day: '2026-06-16', ...none }])
    assert.equal(year.body.data.days.length, 366)
  })

  const refused: [query: string, fields: string[]][] = [
    ['?from=2026-02-30', ['from']],
    ['?to=yesterday', ['to']],
    ['?to=yesterday&from=x', ['to', 'from']],
    ['?from=2026-06-18&to=2026-06-17', ['from']],
    ['?from=2025-06-16&to=2026-06-17', ['from']],
    ['?day=2026-06-17', ['day']],
    ['?from=2026-06-17&from=2026-06-17', ['from']],
    ['?to=0000-01-15', ['from']],
  ]
  for (const [query, fields] of refused) {
    await t.test(`GET /api-v1-keys/:id/usage rejects ${query}`, async () => {
      assertError(await usage(query), 400, 'VALIDATION_ERROR', undefined, fields)
    })
  }
})
