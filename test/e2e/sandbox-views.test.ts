import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { addView } from '../features/views/views.ts'
import { control, freeze, openSandbox, sandboxKey } from '../sandbox/sandbox.ts'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import type { JsonRecord } from '../support/make.ts'
import { bundle, launch, run } from '../support/program.ts'

const plural = { organization: 'organizations', deal: 'deals', activity: 'activities' }

async function openFile(t: TestContext, seed: object): Promise<Client> {
  const file = join(temporaryDirectory(t), 'seed.json')
  writeFileSync(file, JSON.stringify(seed))
  const { first } = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])
  return clientFor(first.url!, { id: '', key: sandboxKey })
}

test('The demo has declared fields and views, and each view finds some of its records', async (t) => {
  const { client } = await openSandbox(t, 'demo')
  const read = async (path: string): Promise<JsonRecord> => (await client.get(path)).body
  const { data: views } = await read('/api-v1-views')
  const { data: fields } = await read('/api-v1-fields')

  assert.deepEqual(
    fields.map(({ resource, key }: JsonRecord) => `${resource}.${key}`),
    ['organization.employees', 'deal.lost_reason', 'activity.rating'],
  )
  assert.equal(views.length, 4)
  for (const { id, name, resource, broken } of views) {
    const path = `/api-v1-${plural[resource as keyof typeof plural]}`
    const [{ total }, all] = [await read(`${path}?view=${id}`), await read(path)].map(({ pagination }) => pagination)
    assert.equal(broken, false, name)
    assert.ok(total > 3 && total < all.total, `${name}: ${total} of ${all.total}`)
  }
})

test('An export has shared and personal views, and starts a sandbox with the same ones', async (t) => {
  const { url, client } = await openSandbox(t, 'demo')
  await freeze(client, '2026-10-06T09:00:00.000Z')
  const [{ id: user_id }] = (await client.get('/api-v1-users')).body.data
  const key = (await client.post('/api-v1-keys', { name: 'Ada', scopes: ['read:all'], user_id })).body.data
  await client.post('/api-v1-fields', { resource: 'deal', key: 'region', type: 'text' })
  await addView(client, { name: 'North', filter: 'metadata.region=north', columns: ['title', 'metadata.region'] })
  await addView(clientFor(url, key), { name: 'Ada’s', visibility: 'personal', sort: '-value', layout: 'board' })

  const exported = (await client.get(`${control}/export`)).body
  const copy = await openFile(t, exported)

  const added = exported.views.slice(-2).map(({ name, user_id }: JsonRecord) => [name, user_id])
  assert.deepEqual(
    [exported.views.length, added],
    [
      6,
      [
        ['North', null],
        ['Ada’s', user_id],
      ],
    ],
  )
  assert.deepEqual((await copy.get(`${control}/export`)).body, exported)
  assert.equal((await copy.get('/api-v1-views')).body.pagination.total, 5)
})

test('An export leaves out broken views, which could not be created', async (t) => {
  const { client } = await openSandbox(t)
  const { id } = (await client.post('/api-v1-fields', { resource: 'deal', key: 'region', type: 'text' })).body.data
  await addView(client, { name: 'North', filter: 'metadata.region=north' })
  await addView(client, { name: 'Large', filter: 'value[gte]=10' })
  await client.delete(`/api-v1-fields/${id}`)

  const { views } = (await client.get(`${control}/export`)).body

  assert.deepEqual(
    views.map(({ name }: JsonRecord) => name),
    ['Large'],
  )
})

test('A seed file with views that could not be created names all of their faults', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  const userId = '0190a2b0-0000-7000-8000-000000000009'
  const view = { name: 'Mine', resource: 'deal' }
  const views = [
    { ...view, filter: 'colour=red' },
    { ...view, visibility: 'personal' },
    { ...view, user_id: userId },
    { ...view, visibility: 'personal', user_id: userId },
    { ...view, columns: ['colour'], sort: 'colour' },
  ]
  writeFileSync(file, JSON.stringify({ views }))

  const { code, stderr } = await run(bundle, ['sandbox', '--seed', file])

  assert.equal(code, 1)
  for (const fault of [
    'views[0].filter: ',
    'views[1].visibility: A personal view belongs to a user',
    'views[2].visibility: A personal view belongs to a user',
    'views[3]: an id is not that of a record in the file',
    'views[4].sort: ',
    'views[4].columns: ',
  ]) {
    assert.ok(stderr.includes(`\n  ${fault}`), `${fault} in ${stderr}`)
  }
})
