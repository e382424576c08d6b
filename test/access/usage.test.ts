import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKey } from '../../src/access/key.ts'
import { updatePlan } from '../../src/access/plan.ts'
import { UnknownWrite, Usage } from '../../src/access/usage.ts'
import { removeCompany } from '../../src/commands/company/remove-company.ts'
import { noDurability } from '../../src/store/durability.ts'
import { type ApiResponse, send } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type Server, start } from '../support/start.ts'
import { times } from './limits.ts'

const path = '/api-v1-organizations'

function days(server: Pick<Server, 'store'>, keyId: string) {
  const sql = `SELECT day, succeeded, rejected, rate_limited, failed FROM api_key_usage WHERE api_key_id = ? ORDER BY day`
  return server.store.access.rows(sql, keyId).map((row) => ({ ...(row as object) }))
}

test('A key that was never used has no last use', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  const key = findKey(server.store.access, client.keyId)

  assert.deepEqual([key.last_used_at, key.last_used_ip, key.request_count], [null, null, 0])
})

test('A key shows when, from where and how often it was used', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await times(3, () => client.get(path))
  server.clock.advance(5_000)
  await client.get(path)

  await server.usage.flush()

  const key = findKey(server.store.access, client.keyId)
  assert.equal(key.last_used_at, '2026-06-15T12:00:05.000Z')
  assert.equal(key.last_used_ip, '127.0.0.1')
  assert.equal(key.request_count, 4)
  assert.equal(key.updated_at, key.created_at)
})

test('Requests are counted by UTC day and outcome', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await server.store.writeAccess((tx) => updatePlan(tx, 'free', { requests_per_minute: 5 }))
  const { client } = await server.company('Acme', 'free')
  await client.get(path)
  await client.post(path, { name: 'Acme' })
  await client.post(path, {})
  await client.get(`${path}/none`)
  await client.get('/api-v1-nothing')
  await times(2, () => client.get(path))
  server.clock.advance(12 * 3_600_000)
  await client.get(path)

  await server.usage.flush()

  assert.deepEqual(days(server, client.keyId), [
    { day: '2026-06-15', succeeded: 2, rejected: 3, rate_limited: 2, failed: 0 },
    { day: '2026-06-16', succeeded: 1, rejected: 0, rate_limited: 0, failed: 0 },
  ])
  assert.equal(findKey(server.store.access, client.keyId).request_count, 8)
})

test('Counts of a company that is removed before they are written do not keep those of others from being written', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const [gone, other] = [await server.company('Gone'), await server.company('Other')]
  await gone.client.get(path)
  await other.client.get(path)
  await removeCompany(
    server.store,
    gone.id,
    () => true,
    async () => {},
  )

  await server.usage.flush()

  assert.equal(findKey(server.store.access, other.client.keyId).request_count, 1)
  assert.deepEqual(days(server, gone.client.keyId), [])
})

test('A request with a server error is counted as failed', async (t) => {
  let broken = false
  const durability = {
    ...noDurability,
    sync: async () => {
      if (broken) throw new Error('EIO')
    },
  }
  const directory = temporaryDirectory(t)
  const server = await start(t, { directory, durability })
  const client = await server.client()
  const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining'))
  const before = await client.get(path)
  broken = true
  const response = await client.post(path, { name: 'Acme' })
  broken = false
  const after = await client.get(path)
  assert.equal(remaining(after), remaining(before) - 2, 'it counts against the limit, too')

  await server.stop()

  const next = await start(t, { directory })
  assert.equal(response.status, 503)
  assert.deepEqual(days(next, client.keyId), [
    { day: '2026-06-15', succeeded: 2, rejected: 0, rate_limited: 0, failed: 1 },
  ])
})

test('Counts add up over several flushes', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  for (let round = 0; round < 3; round++) {
    await times(2, () => client.get(path))
    await server.usage.flush()
  }

  assert.deepEqual(days(server, client.keyId), [
    { day: '2026-06-15', succeeded: 6, rejected: 0, rate_limited: 0, failed: 0 },
  ])
})

test('Requests that fail authentication are not counted for the key', async (t) => {
  const server = await start(t)
  const { key } = await server.company('Acme')
  const expired = await key({ expiresAt: '2026-06-15' })
  await expired.get(path)
  await send(`${server.url}${path}`)

  await server.usage.flush()

  assert.deepEqual(days(server, expired.keyId), [])
  assert.equal(findKey(server.store.access, expired.keyId).request_count, 0)
})

test('Counts are written by a flush, not by the request', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  await times(5, () => client.get(path))

  assert.deepEqual(days(server, client.keyId), [])
})

test('Counts that could not be written are written with the next ones', async (t) => {
  const { store } = await start(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: number[] = []
  let isBroken = true
  const usage = new Usage(store, async (counts) => {
    if (isBroken) throw new Error('EIO')
    written.push(...counts.map(({ succeeded }) => succeeded))
  })
  usage.count('key', 200, '127.0.0.1')
  await assert.rejects(usage.flush())
  isBroken = false
  usage.count('key', 200, '127.0.0.1')
  await usage.flush()
  assert.deepEqual(written, [2])
})

test('Counts that may have been written are sent again unchanged, before new ones', async (t) => {
  const { store } = await start(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked: [id: string, counts: number[]][] = []
  const usage = new Usage(store, async (counts, id) => {
    asked.push([id, counts.map(({ succeeded }) => succeeded)])
    if (asked.length === 1) throw new UnknownWrite()
    if (asked.length === 2) throw new Error('EIO')
  })
  const count = () => usage.count('key', 200, '127.0.0.1')
  count()
  await assert.rejects(usage.flush())
  count()
  count()
  await assert.rejects(usage.flush())
  await usage.flush()

  const [first, , , last] = asked as [[string, number[]], unknown, unknown, [string, number[]]]
  assert.deepEqual(asked, [first, first, first, last])
  assert.deepEqual([first[1], last[1]], [[1], [2]])
  assert.notEqual(first[0], last[0])
})

test('Counts are written when the server stops', async (t) => {
  const directory = temporaryDirectory(t)
  const first = await start(t, { directory })
  const client = await first.client()
  await times(7, () => client.get(path))

  await first.stop()

  const second = await start(t, { directory })
  assert.equal(findKey(second.store.access, client.keyId).request_count, 7)
})

test('A server that has ended writes no counts of a request that outlives it', async (t) => {
  const { store } = await start(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: string[] = []
  const usage = new Usage(store, async (counts) => {
    written.push(...counts.map(({ keyId }) => keyId))
  })
  usage.count('in time', 200, '127.0.0.1')
  await usage.end()
  usage.count('late', 200, '127.0.0.1')
  t.mock.timers.tick(60_000)
  assert.deepEqual(written, ['in time'])
})

test('A server ends after the counts that are being written then', async (t) => {
  const { store } = await start(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = Promise.withResolvers<void>()
  const written: string[] = []
  const usage = new Usage(store, async (counts) => {
    await disk.promise
    written.push(...counts.map(({ keyId }) => keyId))
  })
  usage.count('first', 200, '127.0.0.1')
  t.mock.timers.tick(1_000)
  const ended = usage.end().then(() => [...written])
  disk.resolve()
  assert.deepEqual(await ended, ['first'])
})

test('Counts of many keys are written in parts that a server takes from another one, and a part once', async (t) => {
  const { store } = await start(t)
  const written: string[] = []
  let hasFailed = false
  const usage = new Usage(store, async (counts) => {
    assert.ok(JSON.stringify(counts).length < 2 ** 20)
    if (written.length > 0 && !hasFailed) {
      hasFailed = true
      throw new Error('The leader does not answer')
    }
    written.push(...counts.map(({ keyId }) => keyId))
  })
  const keys = Array.from({ length: 10_000 }, (_, n) => `01a22847-0b02-7000-8000-${String(n).padStart(12, '0')}`)
  for (const key of keys) usage.count(key, 200, '2001:db8:1234:5678:9abc:def0:1234:5678')

  await assert.rejects(usage.flush(), /does not answer/)
  await usage.flush()

  assert.deepEqual(written.sort(), keys)
})
