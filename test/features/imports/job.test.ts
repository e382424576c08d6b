import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../src/lib/clock.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import { assertError, type Client } from '../../support/client.ts'
import { contacts, ended, importAll, jobAt, runBatch, runBatches, submit, totalOf } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

const jobs = '/api-v1-bulk/jobs'
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function typesOf(client: Client, query = ''): Promise<string[]> {
  const { body } = await client.get(`${jobs}${query}`)
  return body.data.map(({ type }: { type: string }) => type)
}

test('A job goes from queued through processing to completed batch by batch, and its progress never decreases', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', [...contacts(150), { first_name: '' }, ...contacts(99)])
  const [workspaceId] = await sweep(server.store)
  const seen = [await jobAt(client, path)]

  while ((await runBatch(server.store, workspaceId!)) === 'imported') {
    server.clock.advance(1_000)
    seen.push(await jobAt(client, path))
  }

  const shown = seen.map((job) => [job.status, job.processed_records, job.failed_records, job.progress_percent])
  assert.deepEqual(shown, [
    ['queued', 0, 0, 0],
    ['processing', 100, 0, 40],
    ['processing', 200, 1, 80],
    ['completed', 250, 1, 100],
  ])
  assert.deepEqual(
    seen.map(({ started_at, completed_at }) => [started_at !== null, completed_at !== null]),
    [
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ],
  )
  assert.equal(new Set(seen.slice(1).map(({ started_at }) => started_at)).size, 1)
  assert.deepEqual(await sweep(server.store), [], 'no record of the job is stored')
})

test('Records are imported in the order in which they were sent', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  await importAll(client, 'contacts', contacts(230))

  const names: string[] = []
  for (let page = 1; page <= 3; page++) {
    const { body } = await client.get(`/api-v1-contacts?sort=created_at&limit=100&page=${page}`)
    names.push(...body.data.map((each: { last_name: string }) => each.last_name))
  }
  assert.deepEqual(
    names,
    contacts(230).map(({ last_name }) => last_name),
  )
})

test('A queued job that is cancelled imports nothing and gets the status failed', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', contacts(150))

  const response = await client.delete(path)
  await runBatches(server.store)

  assert.deepEqual(response.body, { data: { deleted: true } })
  const { status, processed_records, failed_records, progress_percent, errors } = await jobAt(client, path)
  assert.deepEqual([status, processed_records, failed_records, progress_percent], ['failed', 150, 150, 100])
  assert.deepEqual(errors, [{ row: 1, error: 'Cancelled by the caller' }])
  assert.equal(await totalOf(client, 'contacts'), 0)
})

test('A running job that is cancelled keeps what was imported; its remaining records count as failed', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const bad = Array.from({ length: 100 }, () => null)
  const path = await submit(client, 'contacts', [...contacts(100), ...bad, ...contacts(100)])
  const [workspaceId] = await sweep(server.store)
  for (let batch = 0; batch < 2; batch++) await runBatch(server.store, workspaceId!)

  await client.delete(path)
  await runBatches(server.store)

  const { status, successful_records, failed_records, errors } = await jobAt(client, path)
  assert.deepEqual([status, successful_records, failed_records], ['failed', 100, 200])
  assert.equal(errors.length, 100)
  assert.deepEqual(errors[99], { row: 201, error: 'Cancelled by the caller' })
  assert.equal(await totalOf(client, 'contacts'), 100)
})

test('A job that has ended cannot be cancelled', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', contacts(1))
  const job = await ended(client, path)

  assertError(await client.delete(path), 409, 'CONFLICT', 'Job is already completed')
  assert.deepEqual(await jobAt(client, path), job)
})

test('Jobs are listed newest first, by status and by type', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  await submit(client, 'contacts', contacts(1))
  await runBatches(server.store)
  server.clock.advance(1_000)
  await submit(client, 'organizations', [{ name: 'Acme' }])

  assert.deepEqual(await typesOf(client), ['import_organizations', 'import_contacts'])
  assert.deepEqual(await typesOf(client, '?sort=created_at'), ['import_contacts', 'import_organizations'])
  assert.deepEqual(await typesOf(client, '?status=completed'), ['import_contacts'])
  assert.deepEqual(await typesOf(client, '?status[in]=queued,processing'), ['import_organizations'])
  assert.deepEqual(await typesOf(client, '?type=import_organizations&limit=1'), ['import_organizations'])
  assertError(await client.get(`${jobs}?status=done`), 400, 'VALIDATION_ERROR', undefined, ['status'])
  const { body } = await client.get(`${jobs}?limit=1`)
  const next = await client.get(`${jobs}?limit=1&cursor=${body.pagination.next_cursor}`)
  assert.deepEqual([next.body.data[0].type, next.body.pagination.total], ['import_contacts', 2])
})

test('A job can be read with the read or write scope of what it imports, and cancelled with the write scope', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const company = await server.company('Acme')
  const ofContacts = await submit(company.client, 'contacts', contacts(1))
  const ofOrganizations = await submit(company.client, 'organizations', [{ name: 'Acme' }])
  const required = 'Insufficient permissions. Required scope: '

  for (const scope of ['read:contacts', 'write:contacts']) {
    const client = await company.key({ scopes: [scope] })
    assert.equal((await client.get(ofContacts)).status, 200)
    const message = `${required}read:organizations or write:organizations`
    assertError(await client.get(ofOrganizations), 403, 'INSUFFICIENT_PERMISSIONS', message)
    assert.deepEqual(await typesOf(client), ['import_contacts'])
    assertError(await client.delete(ofOrganizations), 403, 'INSUFFICIENT_PERMISSIONS')
    assert.equal((await client.get(jobs)).body.pagination.total, 1)
  }
  const reader = await company.key({ scopes: ['read:all'] })
  assert.equal((await typesOf(reader)).length, 2)
  assertError(await reader.delete(ofContacts), 403, 'INSUFFICIENT_PERMISSIONS', `${required}write:contacts`)
  assertError(
    await reader.post('/api-v1-bulk/contacts', {}),
    403,
    'INSUFFICIENT_PERMISSIONS',
    `${required}write:contacts`,
  )
  const stranger = await company.key({ scopes: ['read:deals', 'write:tasks'] })
  assert.deepEqual(await typesOf(stranger), [])
  assertError(await stranger.get(ofContacts), 403, 'INSUFFICIENT_PERMISSIONS')
  const writer = await company.key({ scopes: ['write:contacts'] })
  assert.equal((await writer.delete(ofContacts)).status, 200)
})

test('A job of another company or workspace is not found, and neither is an invalid id', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const path = await submit(acme.client, 'contacts', contacts(1))

  for (const client of [other.client, await acme.key({ environment: 'test' })]) {
    assertError(await client.get(path), 404, 'NOT_FOUND', 'Job not found')
    assertError(await client.delete(path), 404, 'NOT_FOUND', 'Job not found')
    assert.deepEqual(await typesOf(client), [])
  }
  assertError(await acme.client.get(`${jobs}/${unknownId}`), 404, 'NOT_FOUND', 'Job not found')
  assertError(await acme.client.get(`${jobs}/1`), 404, 'NOT_FOUND', 'Job not found')
  assert.equal((await jobAt(acme.client, path)).status, 'queued')
})

test('A job is removed thirty days after its end; an unfinished job is never removed', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', contacts(1))
  await runBatches(server.store)
  const queued = await submit(client, 'contacts', contacts(1))

  server.clock.advance(30 * dayMs)
  await sweep(server.store)
  assert.equal((await client.get(path)).status, 200)
  server.clock.advance(1)
  await sweep(server.store, { signal: AbortSignal.abort() })
  assert.equal((await client.get(path)).status, 200, 'a server that stops leaves it to the next one')
  await sweep(server.store)

  assertError(await client.get(path), 404, 'NOT_FOUND')
  assert.equal((await jobAt(client, queued)).status, 'queued')
  assert.equal(await totalOf(client, 'contacts'), 1)
})
