import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { ManualDisk } from '../support/disk.ts'
import { start } from '../support/start.ts'

const path = '/api-v1-organizations'

test('A write that fails is undone; the other writes of its turn are kept', async (t) => {
  const { store } = await start(t)
  const add = (name: string, failing = false) =>
    store.writeAccess((tx) => {
      tx.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, 'first')
      tx.run('UPDATE setting SET value = ? WHERE name = ?', 'second', name)
      if (failing) throw new Error('not this one')
      return name
    })

  const settled = await Promise.allSettled([add('a'), add('b', true), add('c'), add('a'), add('d')])

  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  )
  const sql = "SELECT name || '=' || value FROM setting WHERE length(name) = 1 ORDER BY name"
  assert.deepEqual(store.access.values(sql), ['a=second', 'c=second', 'd=second'])
})

test('A write that goes on after the database has rolled back is refused, and nothing of its turn is written twice', async (t) => {
  const { store } = await start(t)
  const count = () =>
    store.writeAccess((tx) => {
      tx.run("INSERT INTO setting VALUES ('n', '1') ON CONFLICT DO UPDATE SET value = value + 1")
    })
  const goOn = () =>
    store.writeAccess((tx) => {
      tx.run('ROLLBACK') // as SQLite does by itself when the disk fails
    })

  const settled = await Promise.allSettled([count(), goOn()])
  const later = await Promise.allSettled([goOn(), count()])

  assert.equal(settled[1]!.status, 'rejected')
  assert.equal(later[0]!.status, 'rejected')
  const kept = [settled[0]!, later[1]!].filter(({ status }) => status === 'fulfilled').length
  assert.equal(store.access.value("SELECT value FROM setting WHERE name = 'n'") ?? '0', String(kept))
})

test('What follows a write and fails does not fail the writes that are on disk with it', async (t) => {
  const { store } = await start(t)
  const told: string[] = []
  store.listen('first', () => {
    throw new Error('the disk does not read')
  })
  for (const topic of ['first', 'second']) store.listen(topic, () => told.push(topic))
  const announce = (topic: string) => store.write(1, (tx) => tx.announce(topic))

  const settled = await Promise.allSettled(['first', 'second'].map(announce))

  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
  assert.deepEqual(told, ['first', 'second'])
})

test('A write that fails alone runs once', async (t) => {
  const { store } = await start(t)
  let runs = 0
  const failing = store.writeAccess(() => {
    runs++
    throw new Error('not this one')
  })

  await assert.rejects(failing, /not this one/)
  assert.equal(runs, 1)
})

test('A write sees the changes of earlier writes in the same turn', async (t) => {
  const { store } = await start(t)
  const count = () =>
    store.writeAccess((tx) => {
      tx.run("INSERT INTO setting VALUES ('n', '1') ON CONFLICT DO UPDATE SET value = value + 1")
      return tx.value<string>("SELECT value FROM setting WHERE name = 'n'")
    })

  const counts = await Promise.all([count(), count(), count()])

  assert.deepEqual(counts, ['1', '2', '3'])
})

test('Concurrent requests that fail do not affect those that succeed', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const nobody = '0197a000-0000-7000-8000-000000000000'

  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? client.patch(`${path}/${nobody}`, { name: 'x' }) : client.post(path, { name: `${index}` }),
    ),
  )

  assert.deepEqual(
    responses.map(({ status }) => status),
    responses.map((_, index) => (index % 3 === 0 ? 404 : 201)),
  )
  assert.equal((await client.get(path)).body.pagination.total, 20)
})

test('A write is acknowledged only after the disk has confirmed it', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  disk.held = true

  let acknowledged = false
  const writing = client.post(path, { name: 'Acme' }).finally(() => {
    acknowledged = true
  })
  await disk.syncing()
  for (let read = 0; read < 10; read++) await client.get(path)
  const tooEarly = acknowledged
  disk.held = false
  disk.confirm()

  assert.equal((await writing).status, 201)
  assert.equal(tooEarly, false)
})

test('Writes that arrive during a sync wait for the next one and share it', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  disk.held = true
  const before = disk.syncs
  const first = client.post(path, { name: 'First' })
  await disk.syncing()

  const others = Array.from({ length: 10 }, () => client.post(path, { name: 'Other' }))
  for (let read = 0; read < 10; read++) await client.get(path)
  disk.confirm()
  await first
  await disk.syncing()
  const syncs = disk.syncs - before
  disk.held = false
  disk.confirm()
  const responses = await Promise.all(others)

  for (const { status } of responses) assert.equal(status, 201)
  assert.equal(syncs, 2)
})

test('A write that the disk did not confirm returns 503 with Retry-After', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  disk.held = true

  const writing = client.post(path, { name: 'Acme' })
  await disk.syncing()
  disk.held = false
  disk.fail()
  const response = await writing

  assertError(response, 503, 'SERVICE_UNAVAILABLE')
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await client.post(path, { name: 'Again' })).status, 201)
})
