import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { minuteMs } from '../../src/lib/clock.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { lifetime } from '../support/fault-times.ts'
import { contacts, ended, jobAt, submit, totalOf } from '../support/imports.ts'
import type { JsonRecord } from '../support/make.ts'
import { start } from '../support/start.ts'

test('The worker thread uses the clock of the server', async (t) => {
  const server = await start(t, { work: 'thread' })
  const { client } = await server.company('Acme')

  const job = await ended(client, await submit(client, 'contacts', [...contacts(250), null]))

  assert.deepEqual([job.status, job.successful_records, job.failed_records], ['completed', 250, 1])
  assert.equal(job.completed_at.slice(0, 10), job.created_at.slice(0, 10))
  assert.equal(await totalOf(client, 'contacts'), 250)
})

test('Records that are imported after the clock was set back get its new time', async (t) => {
  const server = await start(t, { work: 'thread' })
  const { client } = await server.company('Acme')
  await ended(client, await submit(client, 'contacts', contacts(1)))

  server.clock.jump(-60 * minuteMs)
  // An order from before the jump may still be on its way. It looks for the next batch, and would import it with the old time.
  await ended(client, await submit(client, 'contacts', contacts(1)))
  const job = await ended(client, await submit(client, 'contacts', contacts(1)))

  const lateMs = Date.parse(job.completed_at) - server.clock.now()
  assert.ok(lateMs >= 0 && lateMs < 30 * minuteMs, job.completed_at)
})

test('A server continues queued and started jobs when it starts', async (t) => {
  const directory = temporaryDirectory(t)
  const before = await start(t, { directory, work: 'nowhere' })
  const client = await before.client()
  const paths = [
    await submit(client, 'contacts', contacts(250)),
    await submit(client, 'organizations', [{ name: 'A' }]),
  ]
  await before.stop()

  const after = await start(t, { directory, work: 'thread' })
  const again = clientFor(after.url, { id: client.keyId, key: client.key })

  for (const path of paths) assert.equal((await ended(again, path)).status, 'completed')
  assert.deepEqual([await totalOf(again, 'contacts'), await totalOf(again, 'organizations')], [250, 1])
})

test('A worker thread that dies in the middle of batches is started again, and every record is imported once', async (t) => {
  const kills = 2
  const killed = new Set<Worker>()
  const post = Worker.prototype.postMessage
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, ...args: [unknown]) {
    post.apply(this, args)
    if (args[0] === 'stop' || killed.has(this) || killed.size === kills) return
    killed.add(this)
    void once(this, 'message') // while it loads SQLite, its end would abort the process
      .then(() => lifetime(5 * killed.size))
      .then(() => this.terminate())
  })
  const server = await start(t, { work: 'thread' })
  const { client } = await server.company('Acme')

  const job = await ended(client, await submit(client, 'contacts', contacts(300)))

  assert.equal(killed.size, kills)
  assert.deepEqual([job.status, job.successful_records], ['completed', 300])
  const pages = [1, 2, 3].map((page) => client.get(`/api-v1-contacts?limit=100&page=${page}`))
  const bodies = (await Promise.all(pages)).map(({ body }) => body)
  const names = bodies.flatMap(({ data }) => data.map((row: JsonRecord) => row.last_name))
  assert.equal(bodies[0].pagination.total, 300)
  assert.equal(new Set(names).size, 300)
})

test('Single writes and imports never make each other fail', async (t) => {
  const server = await start(t, { work: 'thread' })
  const [{ client: importer }, { client: writer }] = [await server.company('Acme'), await server.company('Other')]

  const path = await submit(importer, 'contacts', contacts(1000))
  const statuses = new Set<number>()
  let last = -1
  for (let job = await jobAt(importer, path); job.completed_at === null; job = await jobAt(importer, path)) {
    const responses = await Promise.all(contacts(8).map((body) => writer.post('/api-v1-contacts', body)))
    for (const { status } of responses) statuses.add(status)
    assert.ok(job.progress_percent >= last)
    last = job.progress_percent
  }

  assert.deepEqual([...statuses], [201])
  assert.deepEqual((await jobAt(importer, path)).errors, [])
  assert.equal(await totalOf(importer, 'contacts'), 1000)
})

test('While another process holds the write lock, an import waits, and then continues', async (t) => {
  const server = await start(t, { work: 'thread' })
  const client = await server.client()
  const path = await submit(client, 'contacts', contacts(300))
  const other = new Database(server.path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const before = await jobAt(client, path)
  for (let read = 0; read < 20; read++) await client.get('/api-v1-contacts')
  const during = await jobAt(client, path)
  other.exec('COMMIT')

  assert.equal(during.processed_records, before.processed_records)
  assert.equal((await ended(client, path)).successful_records, 300)
})
