import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { ManualDisk } from '../support/disk.ts'
import { start } from '../support/start.ts'
import { openStream } from './events.ts'
import { beginWaiting, changesPath, newestCursor, pageOf } from './feed.ts'

const body = { name: 'Acme' }

async function someReads(client: Client): Promise<void> {
  for (let read = 0; read < 10; read++) await client.get('/api-v1-contacts')
}

test('Nobody sees a change, or a number, before it is on disk', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  const after = await newestCursor(client)
  const stream = await openStream(t, server.url, client, { query: `?after=${after}` })
  const waiting = await beginWaiting(client, `?after=${after}&wait=30`)

  disk.held = true
  const writing = client.post('/api-v1-organizations', body)
  await disk.syncing()
  let responses = 0
  const queries = [`?after=${after}`, '?after=now', `?after=${after}&types=deal.*`, `?after=${after}&wait=30`]
  const pages = queries.map((query) => pageOf(client, query).finally(() => responses++))
  await someReads(client)
  const tooEarly = { responses, waiting: waiting.isDone(), streamed: stream.received().includes('organization') }
  disk.held = false
  disk.confirm()

  const { data } = (await writing).body
  const [found, now, skipped, waited] = await Promise.all(pages)
  assert.deepEqual(tooEarly, { responses: 0, waiting: false, streamed: false })
  for (const page of [found, waited, (await waiting.response).body]) assert.equal(page.data[0].record_id, data.id)
  assert.deepEqual([now.cursor, skipped.cursor], [found.cursor, found.cursor])
  assert.equal((await stream.next()).data.record_id, data.id)
})

test('If the disk does not confirm a change, a page with it is 503', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  const after = await newestCursor(client)

  disk.held = true
  const writing = client.post('/api-v1-organizations', body)
  await disk.syncing()
  const reading = client.get(`${changesPath}?after=${after}`)
  await someReads(client)
  disk.held = false
  disk.fail()

  assertError(await writing, 503, 'SERVICE_UNAVAILABLE')
  assertError(await reading, 503, 'SERVICE_UNAVAILABLE')
})

test('Readers of changes that are on disk cause no sync, and those of new ones share the sync of the write', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  const after = await newestCursor(client)
  const waiting = await Promise.all(Array.from({ length: 10 }, () => beginWaiting(client, `?after=${after}&wait=30`)))
  const [before, begunMs] = [disk.syncs, performance.now()]

  await client.post('/api-v1-organizations', body)
  for (const { response } of waiting) assert.equal((await response).body.data.length, 1)
  for (let read = 0; read < 10; read++) await pageOf(client)

  const usageSyncsMax = Math.ceil((performance.now() - begunMs) / 1_000) // the use of keys is stored once a second
  assert.ok(disk.syncs - before <= 1 + usageSyncsMax, `${disk.syncs - before} syncs`)
})
