import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deactivateUser, updateUser } from '../../src/access/user.ts'
import { assertError } from '../support/client.ts'
import { idsOf } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision E2 */
test('Users', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const { client } = company
  const ada = await make(client, 'user', { full_name: 'Ada Lovelace', email: 'Ada@acme.example', role: 'admin' })
  const deactivate = (id: string) => server.store.writeAccess((tx) => deactivateUser(tx, id))

  await t.test('GET /api-v1-users: shows the documented fields only', async () => {
    const { id, ...rest } = ada

    assert.deepEqual(rest, { full_name: 'Ada Lovelace', email: 'Ada@acme.example', role: 'admin', is_active: true })
    assert.deepEqual((await client.get('/api-v1-users')).body.data, [ada])
  })

  await t.test('GET /api-v1-users: any read scope is sufficient, in both workspaces', async () => {
    for (const scope of ['read:tasks', 'read:activities', 'read:all', 'admin:all']) {
      const reader = await company.key({ scopes: [scope], environment: 'test' })

      assert.deepEqual((await reader.get(`/api-v1-users/${ada.id}`)).body.data, ada)
      assert.deepEqual(idsOf((await reader.get('/api-v1-users')).body.data), [ada.id])
    }
    const writer = await company.key({ scopes: ['write:all', 'write:tasks'] })
    const kinds = ['all', 'organizations', 'contacts', 'deals', 'activities', 'tasks', 'files', 'messages']
    const message = `Insufficient permissions. Required scope: ${kinds.map((kind) => `read:${kind}`).join(' or ')}`
    assertError(await writer.get('/api-v1-users'), 403, 'INSUFFICIENT_PERMISSIONS', message)
  })

  await t.test('GET /api-v1-users: finds who has changed since a time, and who has not', async () => {
    const { clock } = server
    const since = encodeURIComponent(new Date(clock.now() + 60_000).toISOString())
    const found = async (query: string) => idsOf((await client.get(`/api-v1-users?${query}`)).body.data)
    clock.advance(3_600_000)
    const lin = await make(client, 'user', { full_name: 'Lin' })
    await deactivate(lin.id)

    assert.deepEqual(await found(`updated_at[gte]=${since}`), [lin.id])
    assert.deepEqual(await found(`updated_at[lt]=${since}`), [ada.id])
    assert.deepEqual(await found(`filter[created_at][gt]=${since}&sort=-updated_at`), [lin.id])
    assert.deepEqual(await found('sort=-updated_at,full_name'), [lin.id, ada.id])
    clock.advance(60_000)
    await server.store.writeAccess((tx) => updateUser(tx, ada.id, { fullName: 'Ada L' }))
    assert.deepEqual(await found('sort=updated_at'), [lin.id, ada.id])
    await server.store.writeAccess((tx) => updateUser(tx, ada.id, { fullName: 'Ada Lovelace' }))
  })

  await t.test('GET /api-v1-users: users of another company are invisible and cannot be assigned', async () => {
    const globex = await server.company('Globex')

    const { body } = await globex.client.get('/api-v1-users')
    const assigned = await globex.client.post('/api-v1-deals', { title: 'New warehouse', assigned_to: ada.id })

    assert.deepEqual([body.data, body.pagination.total], [[], 0])
    assertError(await globex.client.get(`/api-v1-users/${ada.id}`), 404, 'NOT_FOUND', 'User not found')
    assertError(assigned, 400, 'VALIDATION_ERROR', 'User not found', ['assigned_to'])
  })

  await t.test('/api-v1-users: users cannot be created, changed or deleted', async () => {
    for (const [method, path, allow] of [
      ['POST', '/api-v1-users', ['GET', 'HEAD']],
      ['PATCH', `/api-v1-users/${ada.id}`, ['GET', 'HEAD']],
      ['DELETE', `/api-v1-users/${ada.id}`, ['GET', 'HEAD']],
    ] as const) {
      const response = await client.request(method, path)

      assertError(response, 405, 'INVALID_REQUEST')
      assert.deepEqual(response.headers.get('allow')!.split(', ').sort(), allow)
    }
  })

  for (const [resource, path] of [
    ['deal', '/api-v1-deals'],
    ['task', '/api-v1-tasks'],
  ] as const) {
    await t.test(`A deactivated user cannot be assigned to a ${resource}, but existing assignments stay`, async () => {
      const leaving = await make(client, 'user')
      const assigned = await make(client, resource, { assigned_to: leaving.id })
      const other = await make(client, resource)
      await deactivate(leaving.id)

      const created = await client.post(path, { title: 'New', assigned_to: leaving.id })
      const patched = await client.patch(`${path}/${other.id}`, { assigned_to: leaving.id })
      const unchanged = await client.patch(`${path}/${assigned.id}`, { title: 'Kept', assigned_to: leaving.id })

      for (const response of [created, patched]) {
        assertError(response, 400, 'VALIDATION_ERROR', 'User not found', ['assigned_to'])
      }
      assert.equal(unchanged.status, 200)
      assert.equal(unchanged.body.data.assigned_user.id, leaving.id)
      assert.equal((await client.get(`/api-v1-users/${leaving.id}`)).body.data.is_active, false)
    })
  }
})

test('The email address of a user is validated like that of a contact', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  for (const email of [
    'root@localhost',
    'nobody',
    'a b@acme.example',
    'a..b@acme.example',
    `a@${'b.'.repeat(126)}de`,
  ]) {
    await assert.rejects(client.addUser({ email }), { message: 'Email must be a valid email address' })
    const response = await client.post('/api-v1-contacts', { first_name: 'A', emails: [{ email }] })
    assertError(response, 400, 'VALIDATION_ERROR', 'Email must be a valid email address', ['emails[0].email'])
  }
})
