import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBatch, type Turn } from '../../src/jobs/run-batch.ts'
import { takeTurns } from '../../src/jobs/take-turns.ts'
import type { Client } from '../support/client.ts'
import { contacts, ended, submit, totalOf } from '../support/imports.ts'
import { type Server, start } from '../support/start.ts'

/** A server whose batches the test runs: answers whose turn it was, in order. */
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

test('A batch that disk or lock kept from being imported is tried again until it is', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  let failures = 5
  watchTurns(server, async (id) => (failures-- > 0 ? 'unavailable' : runBatch(server.store, id)))

  const job = await ended(client, await submit(client, 'contacts', contacts(150)))

  assert.deepEqual([job.status, job.successful_records], ['completed', 150])
})

test('A job whose batch breaks three times is failed; the next one of the workspace goes on', async (t) => {
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
  assert.deepEqual(job.errors, [{ row: 101, error: 'The import broke off unexpectedly' }])
  assert.deepEqual([after.status, after.successful_records], ['completed', 5])
  assert.equal(await totalOf(client, 'contacts'), 105)
  assert.ok(turns.length >= 5)
})

test('A transaction that makes room for single writes imports a part of its batch, and every record once', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const records = [...contacts(130), 5, ...contacts(30)]
  const progress: unknown[] = []
  watchTurns(server, async (id) => {
    const turn = await runBatch(server.store, id, () => true)
    const sql = 'SELECT processed_records FROM bulk_job WHERE workspace_id = :workspace'
    progress.push(server.store.workspace(id).value(sql))
    return turn
  })

  const job = await ended(client, await submit(client, 'contacts', records))

  assert.deepEqual(progress.slice(0, 6), [20, 40, 60, 80, 100, 120])
  assert.deepEqual([job.successful_records, job.failed_records], [160, 1])
  assert.deepEqual(job.errors, [{ row: 131, error: 'Record must be an object' }])
  assert.equal(await totalOf(client, 'contacts'), 160)
})
