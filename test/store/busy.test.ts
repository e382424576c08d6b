import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { noDurability } from '../../src/store/durability.ts'
import { openConnection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'
import { assertError } from '../support/client.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const path = '/api-v1-organizations'

/** Takes the write lock as a batch of another process does. */
function lockWrites(t: TestContext, { path }: Server): { release(): void } {
  const db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  t.after(() => db.close())
  db.exec('BEGIN IMMEDIATE')
  return { release: () => void db.exec('COMMIT') }
}

test('While another connection holds the write lock, reads are served and a write waits', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const other = lockWrites(t, server)

  const writing = client.post(path, { name: 'Acme' })
  let written = false
  writing.then(() => {
    written = true
  })
  const reads = []
  for (let read = 0; read < 20; read++) reads.push(await client.get(path))
  const writtenTooEarly = written
  other.release()
  const response = await writing

  for (const { status, body } of reads) assert.deepEqual([status, body.pagination.total], [200, 0])
  assert.equal(writtenTooEarly, false)
  assert.equal(response.status, 201)
  assert.equal((await client.get(path)).body.pagination.total, 1)
})

test('All writes that waited for the lock succeed', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const other = lockWrites(t, server)

  const writing = Array.from({ length: 10 }, () => client.post(path, { name: 'Acme' }))
  await client.get(path)
  other.release()
  const responses = await Promise.all(writing)

  for (const { status } of responses) assert.equal(status, 201)
  assert.equal((await client.get(path)).body.pagination.total, 10)
})

test('A write that waits too long for the lock returns 503 with Retry-After and changes nothing', async (t) => {
  const server = await start(t, { busyMsMax: 20 })
  const client = await server.client()
  const other = lockWrites(t, server)

  const response = await client.post(path, { name: 'Acme' })
  const read = await client.get(path)
  other.release()

  assertError(response, 503, 'SERVICE_UNAVAILABLE')
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual([read.status, read.body.pagination.total], [200, 0])
  assert.equal((await client.post(path, { name: 'Later' })).status, 201)
  assert.equal((await client.get(path)).body.pagination.total, 1)
})

test('What may not be written any more when the lock is free is not written, and the lock stays free', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const other = lockWrites(t, server)
  let [asked, isRefused] = [0, false]
  const store = new Store({
    ...{ db: openConnection(server.path, { busyTimeoutMs: 0, synchronous: 'NORMAL' }), clock: server.clock },
    durability: noDurability,
    requireWritable() {
      asked++
      if (isRefused) throw new Error('Another one leads')
    },
  })
  t.after(() => store.close())

  const writing = assert.rejects(
    store.writeAccess((tx) => tx.run('DELETE FROM api_key')),
    /Another one leads/,
  )
  await until('the write waits for the lock', () => asked === 2)
  isRefused = true
  other.release()
  await writing

  assert.equal((await client.post(path, { name: 'Acme' })).status, 201)
})
