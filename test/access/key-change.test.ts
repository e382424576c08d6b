import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { insertKey, revokeKey, setKeyActive } from '../../src/access/key.ts'
import { deactivateUser, insertUser } from '../../src/access/user.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createKey } from '../../src/crm/api-key.ts'
import { type Durability, noDurability } from '../../src/store/durability.ts'
import type { Writer } from '../../src/store/reader.ts'
import { assertError, clientFor } from '../support/client.ts'
import { latency } from '../support/fault-times.ts'
import { openRaw } from '../support/raw.ts'
import { type Server, start } from '../support/start.ts'
import { turn } from '../support/wait.ts'
import { heldRewrite } from './held-rewrite.ts'

const path = '/api-v1-organizations'

/** Writes through a separate connection, as the command line does. */
function change<T>(server: Server, run: (tx: Writer) => T): Promise<T> {
  return withStore(server.directory, (store) => store.writeAccess(run as never)) as Promise<T>
}

test('A key that another process disables or enables is rejected or accepted from the next request on', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await client.get(path)

  await change(server, (tx) => setKeyActive(tx, client.keyId, false))
  const disabled = await client.get(path)
  await change(server, (tx) => setKeyActive(tx, client.keyId, true))
  const enabled = await client.get(path)

  assertError(disabled, 401, 'API_KEY_INACTIVE')
  assert.equal(enabled.status, 200)
})

for (const [phase, begin] of [
  ['a timer', () => latency(1)],
  ['the end of the turn before', turn],
] as const) {
  test(`A request sees what another process wrote before it, although ${phase} has read already`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    const connection = openRaw(server.url)
    t.after(() => connection.socket.destroy())
    connection.write(head)
    await connection.until('200 OK')
    const other = new Database(server.path)
    t.after(() => other.close())

    await begin()
    server.store.accessVersion // reads, as the readers of the log do
    other.prepare('UPDATE api_key SET is_active = 0 WHERE id = ?').run(client.keyId)
    connection.write(head) // arrives before the turn ends

    await connection.until('401 Unauthorized')
  })
}

test('A key that another process revokes is rejected from the next request on', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await Promise.all(Array.from({ length: 20 }, () => client.get(path)))

  await change(server, (tx) => revokeKey(tx, client.keyId))
  const responses = await Promise.all(Array.from({ length: 20 }, () => client.get(path)))

  for (const response of responses) assertError(response, 401, 'API_KEY_REVOKED')
})

test('A revoked key cannot be enabled again', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await change(server, (tx) => revokeKey(tx, client.keyId))

  const enabling = change(server, (tx) => setKeyActive(tx, client.keyId, true))

  await assert.rejects(enabling, { code: 'CONFLICT' })
  assertError(await client.get(path), 401, 'API_KEY_REVOKED')
})

test('A key that another process creates is accepted from the next request on', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const input = { companyId: company.id, environment: 'test', name: 'New', scopes: ['read:all'] } as const

  const made = await change(server, (tx) => insertKey(tx, input))
  const response = await clientFor(server.url, made).get(path)

  assert.equal(response.status, 200)
})

test('Deactivating a user revokes the personal keys of the user and no others', async (t) => {
  const server = await start(t)
  const { id: companyId, client, key } = await server.company('Acme')
  const grace = { companyId, fullName: 'Grace Hopper', email: 'grace@acme.test', role: 'member' } as const
  const { id: userId } = await server.store.writeAccess((tx) => insertUser(tx, grace))
  const personal = await key({ userId })
  const before = await personal.get(path)

  await change(server, (tx) => deactivateUser(tx, userId))
  const after = await personal.get(path)

  assert.equal(before.status, 200)
  assertError(after, 401, 'API_KEY_REVOKED', 'This API key has been revoked')
  assert.equal((await client.get(path)).status, 200)
})

test('A personal key cannot be created for a deactivated user', async (t) => {
  const server = await start(t)
  const { id: companyId, client } = await server.company('Acme')
  const gone = await client.addUser({ is_active: false })
  const body = { name: 'Late', scopes: ['read:all'], user_id: gone }

  const making = change(server, (tx) => createKey(tx, companyId, 'live', body))

  await assert.rejects(making, { code: 'VALIDATION_ERROR', message: 'User not found' })
})

test('A key that another process revoked is rejected also while the server holds the write lock and waits for the disk', async (t) => {
  const log = heldRewrite()
  const server = await start(t, { durability: log.durability })
  const [client, other] = [await server.client(), await server.client()]
  await client.get(path)
  await withStore(dirname(server.path), (store) => store.writeAccess((tx) => revokeKey(tx, client.keyId)))
  log.begin()
  const write = server.store.confirm()
  t.after(log.end)
  await log.started()

  const refused = await client.get(path)
  const served = await other.get(path)

  assertError(refused, 401, 'API_KEY_REVOKED')
  assert.equal(served.status, 200)
  log.end()
  await write
})

test('A committed revocation takes effect even if its sync failed', async (t) => {
  let broken = false
  const durability: Durability = {
    ...noDurability,
    sync: async () => {
      if (broken) throw new Error('EIO')
    },
  }
  const server = await start(t, { durability })
  const client = await server.client()
  await client.get(path)
  broken = true

  const revoking = server.store.writeAccess((tx) => revokeKey(tx, client.keyId))

  await assert.rejects(revoking, { code: 'SERVICE_UNAVAILABLE' })
  broken = false
  assertError(await client.get(path), 401, 'API_KEY_REVOKED')
})
