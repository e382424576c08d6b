import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../../support/start.ts'
import { addView, viewsPath } from './views.ts'

test('An empty filter or sort of a view is none', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const body = { name: 'All', resource: 'deal' }

  for (const empty of ['', ' \t']) {
    const created = await client.post(viewsPath, { ...body, filter: empty, sort: empty })
    assert.deepEqual([created.status, created.body.data.filter, created.body.data.sort], [201, null, null])
    const path = `${viewsPath}/${created.body.data.id}`
    await client.patch(path, { filter: 'value[gt]=1', sort: 'title' })
    const patched = await client.patch(path, { filter: empty, sort: empty })
    assert.deepEqual([patched.status, patched.body.data.filter, patched.body.data.sort], [200, null, null])
    assert.equal((await client.get(`/api-v1-deals?view=${created.body.data.id}`)).status, 200)
  }
})

test('A broken view is restored as broken, with the tag of its endpoint', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const field = await client.post('/api-v1-fields', { resource: 'deal', key: 'region', type: 'text' })
  const { id } = await addView(client, { filter: 'metadata.region=EU' })
  await client.delete(`${viewsPath}/${id}`)
  await client.delete(`/api-v1-fields/${field.body.data.id}`)

  const restored = await client.post(`/api-v1-trash/${id}/restore`, {})
  const got = await client.get(`${viewsPath}/${id}`)

  assert.equal(restored.body.data.broken, true)
  assert.deepEqual(restored.body.data, got.body.data)
  assert.equal(restored.headers.get('etag'), got.headers.get('etag'))
})
