import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentsBeside } from '../../../src/content/open.ts'
import { listMarked } from '../../../src/features/files/content-names.ts'
import { retryRemovals } from '../../../src/features/files/sweep.ts'
import { databasePath } from '../../../src/store/directory.ts'
import type { Client } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { ManualDisk } from '../../support/disk.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { download, storedIn, uploaded } from './files.ts'

async function erase(client: Client, path: string, id: string): Promise<void> {
  if (path) assert.equal((await client.delete(`/${path}/${id}`)).status, 200)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
}

test('Erasing a file removes its content before the answer, unless another record refers to it, trash included', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const first = await uploaded(client, 'same')
  const second = await uploaded(client, 'same')
  await client.delete(`/api-v1-files/${second.id}`)

  await erase(client, 'api-v1-files', first.id)
  assert.equal(storedIn(server.directory).length, 1)
  assert.equal((await client.post(`/api-v1-trash/${second.id}/restore`, {})).status, 200)
  assert.equal((await download(server.url, client, `/api-v1-files/${second.id}/content`)).bytes.toString(), 'same')
  await erase(client, 'api-v1-files', second.id)
  assert.deepEqual(storedIn(server.directory), [])
  await uploaded(client, 'same')
  assert.equal(storedIn(server.directory).length, 1)
})

test('Content is not removed before the erasure of its file is on disk, also when what is left of others is removed', async (t) => {
  const [disk, directory] = [new ManualDisk(), temporaryDirectory(t)]
  const contents = contentsBeside(databasePath(directory))
  const remove = contents.remove.bind(contents)
  const early: boolean[] = []
  contents.remove = (place) => {
    early.push(disk.held)
    return remove(place)
  }
  const server = await start(t, { directory, durability: disk, contents })
  const client = await server.client()
  const { id } = await uploaded(client, 'erased')
  await client.delete(`/api-v1-files/${id}`)
  disk.held = true
  const erasing = client.delete(`/api-v1-trash/${id}`)
  await until('the erasure is committed, and not on disk', () => {
    const isMarked = listMarked(server.store.access).length > 0
    if (!isMarked) disk.confirm() // what was committed before
    return isMarked
  })

  const retrying = retryRemovals(server.store, contents)
  disk.held = false
  disk.confirm()
  await Promise.all([erasing, retrying])

  assert.deepEqual(early, [false])
  assert.deepEqual(storedIn(directory), [])
})

test('Erasing a record erases the files that belong to it alone', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const organization_id = (await make(client, 'organization')).id
  const deal_id = (await make(client, 'deal', { title: 'Hampers' })).id
  const own = await uploaded(client, 'own', { organization_id })
  const shared = await uploaded(client, 'shared', { organization_id, deal_id })

  await erase(client, 'api-v1-organizations', organization_id)
  assert.equal((await client.get(`/api-v1-files/${own.id}`)).status, 404)
  assert.equal((await client.post(`/api-v1-trash/${own.id}/restore`, {})).status, 404)
  assert.deepEqual(
    storedIn(server.directory).map((path) => path.slice(-64)),
    [shared.sha256],
  )
  await erase(client, 'api-v1-deals', deal_id)
  assert.deepEqual(storedIn(server.directory), [])
})

test('A merge moves files without a scope of theirs, in no count, and an undo moves them back, in no report', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  for (const path of ['/api-v1-organizations', '/api-v1-contacts']) {
    const resource = path === '/api-v1-contacts' ? 'contact' : 'organization'
    const [kept, merged] = [await make(client, resource), await make(client, resource)]
    const { id } = await uploaded(client, 'bytes', { [`${resource}_id`]: merged.id })
    const ownerOf = async () => (await client.get(`/api-v1-files/${id}`)).body.data[`${resource}_id`]
    const limited = await key({ scopes: [`read:${resource}s`, `write:${resource}s`] })
    const send = (options: object) => limited.post(`${path}/${kept.id}/merge`, { with: [merged.id], ...options })

    const dry = await send({ dry_run: true })
    const done = await send({})
    const owner = await ownerOf()
    const request = { request_id: done.headers.get('x-request-id') }
    const preview = await limited.post('/api-v1-undo', { ...request, dry_run: true })
    const undone = await limited.post('/api-v1-undo', request)

    assert.deepEqual([dry.status, done.status, preview.status, undone.status], [200, 200, 200, 200])
    for (const { body } of [dry, done]) {
      assert.deepEqual([Object.hasOwn(body.moved, 'files'), Object.hasOwn(body.moved, 'messages')], [false, false])
    }
    for (const { body } of [preview, undone]) {
      assert.deepEqual(body.data.reversed.map((each: { resource: string }) => each.resource).includes('file'), false)
    }
    assert.deepEqual([owner, await ownerOf()], [kept.id, merged.id])
    await limited.post('/api-v1-undo', { request_id: undone.headers.get('x-request-id') })
    assert.equal(await ownerOf(), kept.id)
  }
})

test('An undo of all that a key did takes back a file that the key uploaded and that a merge of the key has moved', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const [kept, merged] = [await make(client, 'organization'), await make(client, 'organization')]
  server.clock.advance(1_000)
  const since = new Date(server.clock.now()).toISOString()
  const { id } = await uploaded(client, 'bytes', { organization_id: merged.id })
  assert.equal((await client.post(`/api-v1-organizations/${kept.id}/merge`, { with: [merged.id] })).status, 200)

  const undone = await client.post('/api-v1-undo', { key_id: client.keyId, since })

  assert.equal(undone.status, 200)
  assert.deepEqual([undone.body.data.errored, (await client.get(`/api-v1-files/${id}`)).status], [[], 404])
})

test('Undo of an upload puts the file into the trash, and merging records moves their files', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const [kept, merged] = [await make(client, 'organization'), await make(client, 'organization')]
  const { id } = await uploaded(client, 'bytes', { organization_id: merged.id })

  const response = await client.post(`/api-v1-organizations/${kept.id}/merge`, { with: [merged.id] })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  assert.equal((await client.get(`/api-v1-files/${id}`)).body.data.organization_id, kept.id)
  const [created] = (await client.get(`/api-v1-files/${id}/history`)).body.data.toReversed()
  const undone = await client.post('/api-v1-undo', { request_id: created.request_id, force: true })
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
  assert.equal((await client.get(`/api-v1-files/${id}`)).status, 404)
})

test('A plan limits the bytes of the files of a company, live and test, trash included, also for two uploads at once', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme', 'starter')
  const { updatePlan } = await import('../../../src/access/plan.ts')
  await server.store.writeAccess((tx) => updatePlan(tx, 'starter', { max_storage_bytes: 10 }))
  const { upload } = await import('./files.ts')
  const { id } = await uploaded(client, 'four')
  await client.delete(`/api-v1-files/${id}`)

  const both = await Promise.all([upload(client, 'fives'), upload(client, 'fivef')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 403])
  const { body } = await client.get('/api-v1-me')
  assert.deepEqual([body.data.limits.max_storage_bytes, body.data.usage.max_storage_bytes], [10, 9])
  assert.equal(storedIn(server.directory).length, 2)
  assert.equal((await upload(client, 'ok', { name: 'a' })).body.error.code, 'PLAN_LIMIT_EXCEEDED')
})
