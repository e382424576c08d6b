import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import type { Turn } from '../../../src/features/imports/run-batch.ts'
import { takeTurns } from '../../../src/features/imports/take-turns.ts'
import type { Connection } from '../../../src/store/open.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import type { Client } from '../../support/client.ts'
import { contacts, ended, jobAt, runBatch, runBatches, submit, totalOf } from '../../support/imports.ts'
import { onPrepared } from '../../support/prepared.ts'
import { type Server, start } from '../../support/start.ts'

const { SqliteError } = Database

/** Runs the server's batches with `run`. Returns the workspaces in the order of their turns. */
function watchTurns(server: Server, run: (workspaceId: number) => Promise<Turn>): number[] {
  const turns: number[] = []
  takeTurns(
    server.store,
    (workspaceId) => {
      turns.push(workspaceId)
      return run(workspaceId)
    },
    1,
  )
  return turns
}

async function twoClients(server: Server): Promise<[Client, Client]> {
  return [(await server.company('Acme')).client, (await server.company('Other')).client]
}

test('Workspaces take turns batch by batch: a short import does not wait for a long one', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const [acme, other] = await twoClients(server)
  const first = Promise.withResolvers<void>()
  const turns = watchTurns(server, async (workspaceId) => {
    await first.promise
    return runBatch(server.store, workspaceId)
  })

  const long = await submit(acme, 'contacts', contacts(400))
  const second = await submit(acme, 'contacts', contacts(100))
  const short = await submit(other, 'contacts', contacts(200))
  first.resolve()
  for (const path of [long, second]) await ended(acme, path)
  await ended(other, short)

  const [a, b] = [turns[0]!, turns.find((id) => id !== turns[0])!]
  assert.deepEqual(turns.slice(0, 7), [a, b, a, b, a, b, a])
})

test('A batch that fails because of the disk or a lock is repeated until it is imported', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  let failures = 5
  watchTurns(server, async (id) => (failures-- > 0 ? 'unavailable' : runBatch(server.store, id)))

  const job = await ended(client, await submit(client, 'contacts', contacts(150)))

  assert.deepEqual([job.status, job.successful_records], ['completed', 150])
})

test('A lock that is not free, or a disk that fails, in the middle of a batch fails no row of it', async (t) => {
  const codes = ['SQLITE_BUSY_SNAPSHOT', 'SQLITE_IOERR_READ', 'SQLITE_FULL']
  const server = await start(t, { work: 'nowhere', prepare: (db) => failInserts(db, 'contact', codes) })
  const { client } = await server.company('Acme')
  const results: Turn[] = []
  watchTurns(server, async (id) => {
    results.push(await runBatch(server.store, id))
    return results.at(-1)!
  })

  const job = await ended(client, await submit(client, 'contacts', contacts(150)))

  assert.deepEqual([job.status, job.successful_records, job.errors], ['completed', 150, []])
  assert.deepEqual(results.slice(0, 4), ['unavailable', 'unavailable', 'unavailable', 'imported'])
})

/** Makes every third insert into a table fail with the next of the codes, which it takes. */
function failInserts(db: Connection, table: string, codes: string[]): void {
  let count = 0
  onPrepared(db, `INSERT INTO main.${table} `, (statement) => {
    const run = statement.run.bind(statement)
    statement.run = (...params: unknown[]) => {
      const code = ++count % 3 === 0 ? codes.shift() : undefined
      if (code) throw new SqliteError('injected', code)
      return run(...params)
    }
  })
}

test('A job whose batch breaks three times fails; the next job of the workspace continues', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  let batches = 0
  const turns = watchTurns(server, async (id) => {
    batches++
    return batches >= 2 && batches <= 4 ? 'broken' : runBatch(server.store, id)
  })

  const [breaking, next] = [
    await submit(client, 'contacts', contacts(300)),
    await submit(client, 'contacts', contacts(5)),
  ]
  const [job, after] = [await ended(client, breaking), await ended(client, next)]

  assert.deepEqual([job.status, job.successful_records, job.failed_records], ['failed', 100, 200])
  assert.deepEqual(job.errors, [{ row: 101, error: 'The import failed unexpectedly' }])
  assert.deepEqual([after.status, after.successful_records], ['completed', 5])
  assert.equal(await totalOf(client, 'contacts'), 105)
  assert.ok(turns.length >= 5)
})

test('A transaction that ends early for single writes imports a part of its batch; the job counts complete batches', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', [5, ...contacts(129), 5, ...contacts(30)])
  const [workspaceId] = await sweep(server.store)
  const imported: number[] = []
  const shown: unknown[] = []

  while ((await runBatch(server.store, workspaceId!, () => true)) === 'imported') {
    imported.push(await totalOf(client, 'contacts'))
    const job = await jobAt(client, path)
    const counts = [job.processed_records, job.successful_records, job.failed_records, job.progress_percent]
    shown.push([job.status, ...counts, job.errors.length])
  }

  assert.deepEqual(imported, [19, 39, 59, 79, 99, 119, 138, 158, 159])
  const begun = ['processing', 0, 0, 0, 0, 0]
  const half = ['processing', 100, 99, 1, 62, 1]
  assert.deepEqual(shown, [...Array(4).fill(begun), ...Array(4).fill(half), ['completed', 161, 159, 2, 100, 2]])
  const error = 'Record must be an object'
  const { started_at, errors } = await jobAt(client, path)
  assert.ok(started_at !== null)
  assert.deepEqual(
    errors,
    [1, 131].map((row) => ({ row, error, code: 'INVALID_TYPE' })),
  )
})

test('A job that is cancelled within a batch counts what was imported and does not continue', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', [...contacts(110), 5, ...contacts(89)])
  const [workspaceId] = await sweep(server.store)
  for (let step = 0; step < 6; step++) await runBatch(server.store, workspaceId!, () => true)

  await client.delete(path)

  const job = await jobAt(client, path)
  assert.deepEqual([job.status, job.successful_records, job.failed_records], ['failed', 119, 81])
  assert.deepEqual(job.errors, [
    { row: 111, error: 'Record must be an object', code: 'INVALID_TYPE' },
    { row: 121, error: 'Cancelled by the caller' },
  ])
  assert.equal(await totalOf(client, 'contacts'), 119)
  assert.equal(await runBatch(server.store, workspaceId!), 'idle')
})

test('A batch whose progress an earlier release has shown in part is completed', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', contacts(150))
  const [workspaceId] = await sweep(server.store)
  const shown = `UPDATE bulk_job SET processed_records = 40, successful_records = 40, created_records = 40
    WHERE workspace_id = :workspace`
  await server.store.write(workspaceId!, (tx) => tx.run(shown))

  await runBatch(server.store, workspaceId!, () => true)
  await runBatches(server.store)

  const { status, successful_records } = await jobAt(client, path)
  assert.deepEqual([status, successful_records], ['completed', 150])
  assert.equal(await totalOf(client, 'contacts'), 110)
})
