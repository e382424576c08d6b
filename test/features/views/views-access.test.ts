import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updateKey } from '../../../src/access/key.ts'
import { scopes } from '../../../src/access/scopes.ts'
import { serveOvertaken } from '../../access/overtake.ts'
import { assertError, type Client } from '../../support/client.ts'
import { idsOf } from '../../support/contract.ts'
import { start } from '../../support/start.ts'
import { addView, viewsPath } from './views.ts'

const forbidden = (scope: string) =>
  [403, 'INSUFFICIENT_PERMISSIONS', `Insufficient permissions. Required scope: ${scope}`] as const

const anyRead = scopes.filter((scope) => scope.startsWith('read:')).join(' or ')

async function open(t: TestContext) {
  const server = await start(t)
  return { server, ...(await server.company('Acme')) }
}

/** Tries to create, change and delete a view of deals. */
async function changes(client: Client, id: string, visibility = 'shared') {
  return [
    await client.post(viewsPath, { name: 'New', resource: 'deal', visibility }),
    await client.patch(`${viewsPath}/${id}`, { name: 'Changed' }),
    await client.delete(`${viewsPath}/${id}`),
  ]
}

test('A shared view is read with the scope that reads its resource', async (t) => {
  const { client, key } = await open(t)
  const [deal, task] = [await addView(client), await addView(client, { resource: 'task' })]
  const reader = await key({ scopes: ['read:tasks'] })

  assert.deepEqual(idsOf((await reader.get(viewsPath)).body.data), [task.id])
  assert.equal((await reader.get(`${viewsPath}/${task.id}`)).status, 200)
  assertError(await reader.get(`${viewsPath}/${deal.id}`), ...forbidden('read:deals'))
  assertError(await reader.get(`${viewsPath}/${deal.id}/history`), ...forbidden('read:deals'))
  assertError(await (await key({ scopes: ['write:all'] })).get(viewsPath), ...forbidden(anyRead))
})

test('A shared view is written with the scope that writes its resource', async (t) => {
  const { client, key } = await open(t)
  for (const scopes of [['read:all'], ['write:tasks', 'read:deals']]) {
    const { id } = await addView(client)
    for (const response of await changes(await key({ scopes }), id)) assertError(response, ...forbidden('write:deals'))
  }
  for (const scopes of [['write:deals'], ['write:all'], ['admin:all']]) {
    const { id } = await addView(client)
    const statuses = (await changes(await key({ scopes }), id)).map(({ status }) => status)
    assert.deepEqual(statuses, [201, 200, 200])
  }
})

test('A personal view is written with the scope that reads its resource', async (t) => {
  const { client, key } = await open(t)
  const userId = await client.addUser()
  const mine = await addView(await key({ userId }), { visibility: 'personal' })

  const refused = await changes(await key({ userId, scopes: ['write:all', 'read:tasks'] }), mine.id, 'personal')
  const allowed = await changes(await key({ userId, scopes: ['read:deals'] }), mine.id, 'personal')

  for (const response of refused) assertError(response, ...forbidden('read:deals'))
  assert.deepEqual(
    allowed.map(({ status }) => status),
    [201, 200, 200],
  )
})

test('A list with a view requires the scope that reads the resource, also if the response is cached', async (t) => {
  const { client, key } = await open(t)
  const { id } = await addView(client)
  const path = `/api-v1-deals?view=${id}`
  assert.equal((await client.get(path)).status, 200)

  assertError(await (await key({ scopes: ['read:tasks'] })).get(path), ...forbidden('read:deals'))
})

test('The log, the trash and undo have shared views for keys with all reads and writes only', async (t) => {
  const { client, key } = await open(t)
  const created = await client.post(viewsPath, { name: 'Ours', resource: 'deal' })
  const { id } = created.body.data
  const [reader, writer] = [await key({ scopes: ['read:deals'] }), await key({ scopes: ['read:all', 'write:deals'] })]
  const request_id = created.headers.get('x-request-id')

  assertError(await writer.post('/api-v1-undo', { request_id }), ...forbidden('write:all'))
  await client.delete(`${viewsPath}/${id}`)
  assert.deepEqual((await reader.get('/api-v1-trash')).body.data, [])
  assert.deepEqual((await reader.get('/api-v1-changes?types=view.*')).body.data, [])
  assert.deepEqual(idsOf((await writer.get('/api-v1-trash')).body.data), [id])
  assertError(await writer.post(`/api-v1-trash/${id}/restore`, {}), ...forbidden('write:all'))
})

test('The views of another company, and those of the other workspace, do not exist', async (t) => {
  const { server, client, key } = await open(t)
  const { id } = await addView(client)
  const userId = await client.addUser()
  const mine = await addView(await key({ userId }), { visibility: 'personal' })
  const strangers = [
    (await server.company('Other')).client,
    await key({ environment: 'test' }),
    await key({ environment: 'test', userId }),
  ]

  for (const stranger of strangers) {
    for (const each of [id, mine.id]) {
      assert.deepEqual((await stranger.get(viewsPath)).body.data, [])
      assertError(await stranger.get(`${viewsPath}/${each}`), 404, 'NOT_FOUND')
      assertError(await stranger.patch(`${viewsPath}/${each}`, { name: 'Stolen' }), 404, 'NOT_FOUND')
      assertError(await stranger.delete(`${viewsPath}/${each}`), 404, 'NOT_FOUND')
      assertError(await stranger.get(`/api-v1-deals?view=${each}`), 400, 'VALIDATION_ERROR', undefined, ['view'])
    }
  }
})

test('A key that loses the scope right before a view is written writes nothing', async (t) => {
  const server = await serveOvertaken(t)
  const client = await server.client()
  const { id } = await addView(client)
  const body = { name: 'New', resource: 'deal' }
  const scopes = (list: string[]) =>
    server.store.writeAccess((tx) => updateKey(tx, client.keyId, { scopes: JSON.stringify(list) }))

  for (const write of [
    () => client.post(viewsPath, body),
    () => client.patch(`${viewsPath}/${id}`, { name: 'Changed' }),
    () => client.delete(`${viewsPath}/${id}`),
  ]) {
    await scopes(['admin:all'])
    const response = await server.overtake(write, (tx) =>
      updateKey(tx, client.keyId, { scopes: '["read:all","write:tasks"]' }),
    )
    assertError(response, ...forbidden('write:deals'))
  }

  const { data } = (await client.get(viewsPath)).body
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['Mine'],
  )
})
