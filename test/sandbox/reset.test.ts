import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Image } from '../../src/sandbox/image.ts'
import { Snapshots } from '../../src/sandbox/snapshots.ts'
import { uploaded } from '../features/files/files.ts'
import { assertError } from '../support/client.ts'
import { ended, importAll, submit, totalOf } from '../support/imports.ts'
import { sendRaw } from '../support/raw.ts'
import { control, forkOf, freeze, openSandbox, sandboxKey } from './sandbox.ts'

const organizations = '/api-v1-organizations'

test('A reset takes back records, ids, seq, clock, faults, inbox and journal', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  await client.put(`${control}/snapshots/before`, {})
  const write = async () => {
    await client.post('/api-v1-webhooks', { url: 'kontor:inbox', events: ['organization.*'] })
    const created = await client.post(organizations, { name: 'Acme' })
    const inbox = await client.get(`${control}/inbox?wait=10`)
    return { created: created.body, id: created.headers.get('x-request-id'), delivered: inbox.body.data[0].id }
  }
  const first = await write()
  await client.post(`${control}/clock/advance`, { by: 'P1D' })
  await client.put(`${control}/faults`, [{ match: { path: organizations }, do: { status: 503 } }])
  assert.equal((await client.get(organizations)).status, 503)

  const reset = await client.post(`${control}/reset`, { to: 'before' })

  assert.equal(reset.body.data.now, '2026-02-02T09:00:00.000Z')
  assert.equal((await client.get(organizations)).body.pagination.total, 0)
  for (const what of ['faults', 'inbox']) assert.deepEqual((await client.get(`${control}/${what}`)).body.data, [])
  const journal = await client.get(`${control}/requests`)
  assert.deepEqual(
    journal.body.data.map(({ path }: { path: string }) => path),
    [organizations], // the one since the reset
  )
  await client.post(`${control}/reset`, { to: 'before' })
  assert.deepEqual(await write(), first)
})

test('A reset goes back to the start, to no records and to the demo', async (t) => {
  const { client } = await openSandbox(t, 'demo')
  const total = async () => (await client.get(organizations)).body.pagination.total
  await client.post(organizations, { name: 'Acme' })
  assert.equal(await total(), 41)

  const totals = []
  for (const body of [{ to: 'empty' }, { to: 'demo' }, {}]) {
    assert.equal((await client.post(`${control}/reset`, body)).status, 200)
    totals.push(await total())
  }

  assert.deepEqual(totals, [0, 40, 40])
})

test('After a reset, the log has another name, and an old cursor is gone', async (t) => {
  const { client } = await openSandbox(t)
  const { body } = await client.get('/api-v1-changes')

  const reset = await client.post(`${control}/reset`, {})

  assert.notEqual(reset.body.data.log_id, body.log_id)
  assert.equal(reset.body.data.seq, body.latest_seq)
  assertError(await client.get(`/api-v1-changes?after=${body.cursor}`), 410, 'NOT_FOUND')
})

test('A reset while fifty requests run answers all of them', async (t) => {
  const { client } = await openSandbox(t)
  const writing = Array.from({ length: 50 }, (_, n) => client.post(organizations, { name: `Acme ${n}` }))
  const waiting = client.get('/api-v1-changes?after=now&wait=30')

  const resets = await Promise.all([1, 2, 3].map(() => client.post(`${control}/reset`, {})))

  assert.deepEqual(
    resets.map(({ status }) => status),
    [200, 200, 200],
  )
  for (const { status } of await Promise.all(writing)) assert.equal(status, 201)
  assert.equal((await waiting).status, 200)
  await client.post(`${control}/reset`, {})
  assert.equal((await client.get(organizations)).body.pagination.total, 0)
})

test('Imports that were not complete at a snapshot complete after a reset to it', async (t) => {
  const { client } = await openSandbox(t)
  const records = Array.from({ length: 500 }, (_, n) => ({ name: `Acme ${n}` }))
  const job = await submit(client, 'organizations', records)
  await client.put(`${control}/snapshots/queued`, {})

  await client.post(`${control}/reset`, { to: 'queued' })

  assert.equal((await ended(client, job)).successful_records, 500)
  assert.equal(await totalOf(client, 'organizations'), 500)
})

test('Snapshots are listed, replaced and deleted, and their names and number are checked', async (t) => {
  const { url, client } = await openSandbox(t)
  const put = (name: string) => client.put(`${control}/snapshots/${name}`, {})
  assert.deepEqual([(await put('b')).status, (await put('a')).status, (await put('b')).status], [201, 201, 200])
  const list = await client.get(`${control}/snapshots`)
  assert.deepEqual(
    list.body.data.map(({ name }: { name: string }) => name),
    ['a', 'b'],
  )
  assert.deepEqual((await client.get(`${control}/snapshots/a`)).body.data, list.body.data[0])
  assert.equal((await client.delete(`${control}/snapshots/a`)).status, 200)
  assertError(await client.get(`${control}/snapshots/a`), 404, 'NOT_FOUND')
  assertError(await client.post(`${control}/reset`, { to: 'a' }), 404, 'NOT_FOUND')

  assertError(await put('start'), 400, 'VALIDATION_ERROR', 'A snapshot cannot be named start', ['name'])
  assertError(await put('a%2Fb'), 400, 'VALIDATION_ERROR')
  const dots = `PUT ${control}/snapshots/%2e%2e HTTP/1.1\r\nHost: kontor\r\nAuthorization: Bearer ${sandboxKey}\r\n`
  assert.match(
    await sendRaw(url, `${dots}Connection: close\r\n\r\n`),
    /^HTTP\/1.1 400 .*A snapshot cannot be named \.\./s,
  )
  assertError(await put('x'.repeat(101)), 400, 'VALIDATION_ERROR')
  assertError(await client.post(`${control}/reset`, { to: '../b' }), 400, 'VALIDATION_ERROR')
  assertError(await client.post(`${control}/reset`, { too: 'b' }), 400, 'VALIDATION_ERROR', undefined, ['too'])
  for (let n = 1; n < 20; n++) assert.equal((await put(`more-${n}`)).status, 201)
  assertError(await put('one-too-many'), 409, 'CONFLICT')
  assert.equal((await put('b')).status, 200)
})

test('Snapshots of all worlds together are limited to 64 MiB', async (t) => {
  const sandbox = await openSandbox(t)
  const fork = await forkOf(sandbox)
  const large = Array.from({ length: 900 }, (_, n) => ({ name: `Acme ${n}`, metadata: { text: 'x'.repeat(8_000) } }))
  assert.equal((await importAll(fork, 'organizations', large)).failed_records, 0)

  const saved = []
  for (let n = 0; n < 8; n++) saved.push((await fork.put(`${control}/snapshots/s${n}`, {})).status)

  assert.deepEqual([saved[0], saved.at(-1)], [201, 409])
  assert.equal((await sandbox.client.put(`${control}/snapshots/small`, {})).status, 201)
  await fork.delete(`${control}/forks/${fork.fork.id}`)
  const again = await forkOf(sandbox)
  assert.equal((await again.put(`${control}/snapshots/s`, {})).status, 201)
})

test('A snapshot that is replaced takes its room once, and those of a world that is closed take none', () => {
  const space = { bytes: 0 }
  const image = { bytes: { length: 40 * 2 ** 20 }, inbox: [], journal: [] } as unknown as Image
  const snapshots = new Snapshots(space)
  snapshots.put('one', image)
  snapshots.put('one', image)
  assert.equal(space.bytes, 40 * 2 ** 20)

  snapshots.close()

  assert.equal(space.bytes, 0)
})

test('The files of a snapshot count against its limit', async (t) => {
  const { client } = await openSandbox(t)
  await uploaded(client, Buffer.alloc(24 * 2 ** 20))

  const saved = [await client.put(`${control}/snapshots/a`, {}), await client.put(`${control}/snapshots/b`, {})]
  const third = await client.put(`${control}/snapshots/c`, {})

  for (const { body } of saved) assert.ok(body.data.bytes > 24 * 2 ** 20)
  assertError(third, 409, 'CONFLICT')
})

test('A reset, a fork, a count and a setting of the clock need no body, because every member has a default', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  await client.post(organizations, { name: 'Acme' })
  const headers = { 'Content-Type': 'application/json' }
  const asked = [{}, { headers }, { headers, body: '' }]

  for (const init of asked) {
    const count = await client.request('POST', `${control}/requests/count`, init)
    const fork = await client.request('POST', `${control}/forks`, init)
    const clock = await client.request('PUT', `${control}/clock`, init)

    assert.deepEqual([count.body.data.count, fork.status, clock.body.data.mode], [1, 201, 'frozen'])
  }
  const reset = await client.request('POST', `${control}/reset`)
  assert.deepEqual([reset.status, reset.body.data.to, await totalOf(client, 'organizations')], [200, 'start', 0])
  for (const path of ['reset', 'forks', 'requests/count']) {
    const other = await client.request('POST', `${control}/${path}`, { body: 'to=demo' })
    assertError(other, 415, 'INVALID_REQUEST')
  }
})
