import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { contacts, importPaths, submit, totalOf } from '../../support/imports.ts'
import { openRaw } from '../../support/raw.ts'
import { start } from '../../support/start.ts'

const MiB = 2 ** 20
const json = { 'Content-Type': 'application/json' }

for (const what of importPaths) {
  test(`A submit of ${what} returns the queued job and its address at once`, async (t) => {
    const { client } = await (await start(t, { work: 'nowhere' })).company('Acme')

    const response = await client.post(`/api-v1-bulk/${what}`, { records: contacts(3) })

    const { job_id, ...rest } = response.body.data
    assert.equal(response.status, 202)
    assert.equal(response.headers.get('location'), `/api-v1-bulk/jobs/${job_id}`)
    const counts = { total_records: 3, successful_records: 0, failed_records: 0 }
    assert.deepEqual(rest, { status: 'queued', ...counts, errors: [] })
    const { body } = await client.get(`/api-v1-bulk/jobs/${job_id}`)
    assert.deepEqual(body.data, {
      id: job_id,
      type: `import_${what.replaceAll('-', '_')}`,
      ...{ match_on: null, mode: null, dry_run: false, status: 'queued' },
      ...{ created_records: 0, updated_records: 0, unchanged_records: 0 },
      ...{ total_records: 3, processed_records: 0, successful_records: 0, failed_records: 0, progress_percent: 0 },
      ...{ errors: [], started_at: null, completed_at: null },
      ...{ created_at: body.data.created_at, updated_at: body.data.created_at },
    })
  })
}

const invalid: Record<string, unknown> = {
  'without records': {},
  'whose records are null': { records: null },
  'whose records are an object': { records: { first_name: 'Grace' } },
  'whose records are a text': { records: 'Grace' },
  'that is the array itself': [{ first_name: 'Grace' }],
}

for (const [what, body] of Object.entries(invalid)) {
  test(`A body ${what} is refused with INVALID_REQUEST`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    for (const path of importPaths) assertError(await client.post(`/api-v1-bulk/${path}`, body), 400, 'INVALID_REQUEST')
    assert.equal((await client.get('/api-v1-bulk/jobs')).body.pagination.total, 0)
  })
}

test('A submit without a body, without records or with a query parameter is refused', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const path = '/api-v1-bulk/contacts'

  assertError(await client.request('POST', path), 400, 'INVALID_REQUEST')
  assertError(await client.post(path, { records: [] }), 400, 'INVALID_REQUEST', 'No records provided')
  assertError(await client.post(`${path}?dry=1`, { records: contacts(1) }), 400, 'VALIDATION_ERROR')
})

test('A submit of 1,000 records is accepted, one of 1,001 is refused', async (t) => {
  const { client } = await (await start(t, { work: 'nowhere' })).company('Acme')

  await submit(client, 'contacts', contacts(1000))
  const response = await client.post('/api-v1-bulk/contacts', { records: contacts(1001) })

  assertError(response, 400, 'VALIDATION_ERROR', undefined, ['records'])
  assert.equal((await client.get('/api-v1-bulk/jobs')).body.pagination.total, 1)
})

test('A body of 16 MiB is accepted and a larger one returns 413; other endpoints keep their limit', async (t) => {
  const { client } = await (await start(t, { work: 'nowhere' })).company('Acme')
  const bodyOf = (bytes: number) => {
    const frame = '{"records":[{"first_name":"Grace","unknown":""}]}'
    return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
  }
  const post = (path: string, bytes: number) => client.request('POST', path, { body: bodyOf(bytes), headers: json })

  assert.equal((await post('/api-v1-bulk/contacts', 16 * MiB)).status, 202)
  assertError(await post('/api-v1-bulk/contacts', 16 * MiB + 1), 413, 'INVALID_REQUEST')
  assertError(await post('/api-v1-contacts', 2 * MiB), 413, 'INVALID_REQUEST')
})

test('A caller that disconnects during its upload creates nothing', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const body = JSON.stringify({ records: contacts(1000) })

  const connection = openRaw(server.url)
  connection.write(`POST /api-v1-bulk/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n`)
  connection.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20_000)}`)
  await client.get('/api-v1-contacts')
  connection.socket.destroy()
  await connection.closed()

  assert.equal((await client.get('/api-v1-bulk/jobs')).body.pagination.total, 0)
  assert.equal(await totalOf(client, 'contacts'), 0)
})

test('A submit that is repeated with its Idempotency-Key creates one job', async (t) => {
  const { client } = await (await start(t, { work: 'nowhere' })).company('Acme')
  const send = () => client.post('/api-v1-bulk/contacts', { records: contacts(2) }, { 'Idempotency-Key': 'one' })

  const [first, second] = [await send(), await send()]

  assert.deepEqual([second.status, second.body], [202, first.body])
  assert.equal((await client.get('/api-v1-bulk/jobs')).body.pagination.total, 1)
})

test('A plan without bulk import refuses submits, but shows existing jobs', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const job = await submit(client, 'contacts', contacts(1))
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET bulk_import = 0 WHERE name = 'enterprise'"))

  const response = await client.post('/api-v1-bulk/contacts', { records: contacts(1) })

  assertError(response, 403, 'FEATURE_NOT_ENABLED')
  assert.equal((await client.get(job)).status, 200)
})
