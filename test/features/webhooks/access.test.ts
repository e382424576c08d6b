import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../../src/access/plan.ts'
import { assertError, type Client } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { addWebhook, openWebhook, untilDelivered, webhooksPath } from './webhooks.ts'

const url = 'https://example.com/hook'

test('A key that may not read the data cannot send it to a webhook', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const { id } = await addWebhook(client, url)
  const writer = await key({ scopes: ['write:all'] })
  const both = await key({ scopes: ['read:all', 'write:all'] })
  const body = { url: `${url}/own`, events: ['*'] }

  for (const patch of [{ url: `${url}/own` }, { events: ['deal.*'] }, { payload: 'thin' }, { is_active: false }]) {
    assertError(await writer.patch(`${webhooksPath}/${id}`, patch), 403, 'INSUFFICIENT_PERMISSIONS')
  }
  assertError(await writer.post(webhooksPath, body), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await writer.patch(`${webhooksPath}/${id}`, { description: 'Invoices' })).status, 200)
  assert.equal((await both.post(webhooksPath, body)).status, 201)
})

test('A key that may not read the data cannot restore a deleted webhook, which goes on sending', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const { id } = await addWebhook(client, url)
  await client.delete(`${webhooksPath}/${id}`)
  const restoreBy = async (scopes: string[]) => (await key({ scopes })).post(`/api-v1-trash/${id}/restore`, {})

  const refused = await restoreBy(['write:all'])
  const { status } = await restoreBy(['read:all', 'write:all'])

  assertError(refused, 403, 'INSUFFICIENT_PERMISSIONS')
  assert.match(refused.body.error.message, /read:all/)
  assert.equal(status, 200)
})

test('Without the plan feature, no webhook is restored', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await addWebhook(client, url)
  await client.delete(`${webhooksPath}/${id}`)
  const restore = () => client.post(`/api-v1-trash/${id}/restore`, {})
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { webhooks: false }))

  const refused = await restore()
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { webhooks: true }))
  const { status } = await restore()

  assertError(refused, 403, 'FEATURE_NOT_ENABLED', 'Your plan (enterprise) does not include webhooks')
  assert.equal(status, 200)
})

test('Changes of webhooks are shown to keys with admin:all only', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const { id } = await addWebhook(client, url)
  const reader = await key({ scopes: ['read:all'] })
  const typesFor = async (reader: Client) =>
    (await reader.get('/api-v1-changes?types=webhook.*')).body.data.map(({ type }: { type: string }) => type)

  assert.deepEqual([await typesFor(client), await typesFor(reader)], [['webhook.created'], []])
  assertError(await reader.get(`${webhooksPath}/${id}/history`), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await reader.get(`${webhooksPath}/${id}`)).status, 200)
})

test('A delivery does not spoil the If-Match of who edits the webhook, and shows in a GET with If-None-Match', async (t) => {
  const { client, webhook, path } = await openWebhook(t)
  const tag = (await client.get(path)).headers.get('etag')!
  const known = await client.get(path, { 'If-None-Match': tag })
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1)

  const seen = await client.get(path, { 'If-None-Match': tag })
  const first = await client.patch(path, { description: 'Invoices' }, { 'If-Match': tag })
  const second = await client.patch(path, { description: 'Bills' }, { 'If-Match': tag })

  assert.deepEqual([known.status, seen.status, first.status, second.status], [304, 200, 200, 412])
  assert.equal(typeof seen.body.data.last_success_at, 'string')
})
