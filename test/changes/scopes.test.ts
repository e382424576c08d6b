import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateUser } from '../../src/access/user.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { changesPath, newestCursor, pageOf, typesIn } from './feed.ts'

test('A key sees the changes of the resources that it may read', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const deals = await key({ scopes: ['read:deals'] })
  const after = await newestCursor(client)
  await make(client, 'contact')
  await make(client, 'deal')

  const [seen, all] = [await pageOf(deals, `?after=${after}`), await pageOf(client, `?after=${after}`)]
  const contacts = await pageOf(deals, `?after=${after}&types=contact.*`)

  assert.deepEqual([typesIn(seen.data), seen.filtered], [['deal.created'], true])
  assert.deepEqual([typesIn(all.data), all.filtered], [['contact.created', 'deal.created'], false])
  assert.deepEqual([contacts.data, contacts.has_more, contacts.cursor], [[], false, all.cursor])
})

test('Only administrators see the changes of keys and users', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const reader = await key({ scopes: ['read:all'] })
  const after = await newestCursor(client)
  await client.post('/api-v1-keys', { name: 'More', scopes: ['read:all'] })
  await client.addUser({})

  const [seen, all] = [await pageOf(reader, `?after=${after}`), await pageOf(client, `?after=${after}`)]

  assert.deepEqual([seen.data, seen.filtered], [[], true])
  assert.deepEqual(typesIn(all.data), ['api_key.created', 'user.created'])
})

test('Only administrators see former states of users and webhooks, also when an administrator has just seen them', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const reader = await key({ scopes: ['read:all'] })
  const userId = await client.addUser({})
  const webhook = await make(client, 'webhook')
  const { latest_seq } = (await client.get(changesPath)).body
  const paths = [`/api-v1-users/${userId}`, `/api-v1-webhooks/${webhook.id}`]

  for (const path of paths) {
    const former = `${path}?as_of=${latest_seq}`
    assert.equal((await client.get(former)).status, 200)
    assertError(await reader.get(former), 403, 'INSUFFICIENT_PERMISSIONS')
    assert.equal((await reader.get(path)).status, 200)
  }
})

test('A former state includes other records as they are now if the key may not read their changes', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const deals = await key({ scopes: ['read:deals'] })
  const assigned_to = await client.addUser({})
  const { id: organization_id } = await make(client, 'organization', { name: 'Former' })
  const { id } = await make(client, 'deal', { organization_id, assigned_to })
  const { latest_seq } = (await client.get(changesPath)).body
  const email = 'current@kontor.example'
  await server.store.writeAccess((tx) => updateUser(tx, assigned_to, { email }))
  await client.patch(`/api-v1-organizations/${organization_id}`, { name: 'Current' })

  const path = `/api-v1-deals/${id}?include=assigned_user,organization&as_of=${latest_seq}`
  const [all, some] = [(await client.get(path)).body.data, (await deals.get(path)).body.data]

  assert.deepEqual([some.assigned_user.email, some.organization.name], [email, 'Current'])
  assert.notEqual(all.assigned_user.email, email)
  assert.equal(all.organization.name, 'Former')
})

test('A key without a read scope cannot use the feed', async (t) => {
  const { key } = await (await start(t)).company('Acme')

  assertError(await (await key({ scopes: ['write:deals'] })).get(changesPath), 403, 'INSUFFICIENT_PERMISSIONS')
})

test('Each workspace has a log of its own', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const test = await acme.key({ environment: 'test' })
  const organization = await make(acme.client, 'organization')

  const pages = await Promise.all([acme.client, other.client, test].map((client) => pageOf(client)))

  const seen = pages.map(({ data }) =>
    data.some((change: { record_id: string }) => change.record_id === organization.id),
  )
  assert.deepEqual(seen, [true, false, false])
  assert.equal(new Set(pages.map(({ log_id }) => log_id)).size, 3)
})
