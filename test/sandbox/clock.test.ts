import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Receiver } from '../features/webhooks/receiver.ts'
import { untilDelivered } from '../features/webhooks/webhooks.ts'
import { assertError, clientFor } from '../support/client.ts'
import { ended } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { control, freeze, openSandbox } from './sandbox.ts'

const clock = `${control}/clock`
const advance = `${clock}/advance`
const organizations = '/api-v1-organizations'

test('The clock can be frozen, set, and made real again', async (t) => {
  const { client } = await openSandbox(t)
  assert.equal((await client.get(clock)).body.data.mode, 'real')

  const frozen = await client.put(clock, { now: '2026-01-05T09:00:00Z', mode: 'frozen' })
  const created = [await client.post(organizations, { name: 'A' }), await client.post(organizations, { name: 'B' })]

  assert.deepEqual(frozen.body.data, { now: '2026-01-05T09:00:00.000Z', mode: 'frozen' })
  for (const { body } of created) assert.equal(body.data.created_at, '2026-01-05T09:00:00.000Z')
  const ticking = await client.put(clock, { mode: 'ticking' })
  assert.match(ticking.body.data.now, /^2026-01-05T09:00:0/)
  assert.match((await client.put(clock, { now: '2024-02-29T00:00:00Z' })).body.data.now, /^2024-02-29/)
  const before = Date.now()
  const real = await client.put(clock, { mode: 'real' })
  assert.ok(Date.parse(real.body.data.now) >= before)
})

test('While the clock advances, each retry of a webhook runs when it is due', async (t) => {
  const { client } = await openSandbox(t)
  const receiver = await Receiver.open(t)
  receiver.respond = (response, count) => response.writeHead(count <= 3 ? 503 : 204).end()
  await freeze(client)
  await client.post('/api-v1-webhooks', { url: receiver.url, events: ['organization.*'] })
  await client.post(organizations, { name: 'Acme' })
  const { body } = await client.get('/api-v1-webhooks')
  await untilDelivered(client, body.data[0], 1, 'pending')

  const advanced = await client.post(advance, { by: 'PT36H' })

  assert.equal(receiver.received.length, 4)
  assert.equal(advanced.body.data.now, '2026-02-03T21:00:00.000Z')
  assert.equal(advanced.body.data.ran.deliveries, 3)
  const [delivery] = (await client.get(`/api-v1-webhooks/${body.data[0].id}/deliveries`)).body.data
  const times = delivery.attempts.map(({ at }: { at: string }) => Date.parse(at))
  const waits = times.slice(1).map((at: number, n: number) => (at - times[n]) / 1_000)
  for (const [n, seconds] of [5, 300, 1_800].entries()) {
    assert.ok(waits[n] >= 0.8 * seconds && waits[n] <= 1.2 * seconds, `retry ${n + 1} after ${waits[n]} s`)
  }
})

test('What is due at the moment to which the clock advances runs, and nothing that is due later', async (t) => {
  const { client } = await openSandbox(t)
  const receiver = await Receiver.open(t)
  receiver.respond = (response) => response.writeHead(503).end()
  await freeze(client)
  await client.post('/api-v1-webhooks', { url: receiver.url, events: ['organization.*'] })
  await client.post(organizations, { name: 'Acme' })
  const [webhook] = (await client.get('/api-v1-webhooks')).body.data
  await untilDelivered(client, webhook, 1, 'pending')
  const [{ next_attempt_at }] = (await client.get(`/api-v1-webhooks/${webhook.id}/deliveries`)).body.data
  const before = new Date(Date.parse(next_attempt_at) - 1).toISOString()

  const early = await client.post(advance, { to: before })
  const due = await client.post(advance, { to: next_attempt_at })

  assert.deepEqual([early.body.data.ran.deliveries, due.body.data.ran.deliveries], [0, 1])
})

test('What follows from a write is there with the next request, also after the clock has advanced', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  const stage = await make(client, 'stage', { stale_after_days: 1 })
  const deals = []
  for (let n = 0; n < 5; n++) deals.push(await make(client, 'deal', { title: `Deal ${n}`, stage_id: stage.id }))
  await client.post(advance, { by: 'PT20H' })

  const active: number[] = []
  for (const { id } of deals) {
    await make(client, 'activity', { deal_id: id })
    const { body } = await client.get('/api-v1-deals?last_activity_at[ne]=null')
    active.push(body.pagination.total)
  }
  await client.post(advance, { by: 'PT10H' })
  const { body: stale } = await client.get('/api-v1-deals?is_stale=true')

  assert.deepEqual(active, [1, 2, 3, 4, 5])
  assert.equal(stale.pagination.total, 0)
})

test('Advancing the clock expires keys, and removes jobs that ended thirty days ago', async (t) => {
  const { client, url } = await openSandbox(t)
  await freeze(client)
  const made = await client.post('/api-v1-keys', {
    ...{ name: 'Soon', scopes: ['read:all'], expires_at: '2026-02-03T00:00:00Z' },
  })
  const reader = clientFor(url, { id: '', key: made.body.data.key })
  const job = await client.post('/api-v1-bulk/organizations', { records: [{ name: 'A' }] })
  await ended(client, job.headers.get('location')!)

  const first = await client.post(advance, { to: '2026-02-03T00:00:00Z' })
  const second = await client.post(advance, { by: 'P31D' })

  assert.deepEqual(first.body.data.ran, {
    deliveries: 0,
    expired_keys: 1,
    removed_jobs: 0,
    removed_deliveries: 0,
    removed_changes: 0,
  })
  assertError(await reader.get(organizations), 401, 'API_KEY_EXPIRED')
  assert.equal(second.body.data.ran.removed_jobs, 1)
  assertError(await client.get(job.headers.get('location')!), 404, 'NOT_FOUND')
})

test('Advancing the clock removes changes that are older than KONTOR_CHANGES_KEEP, as on a server', async (t) => {
  const { client } = await openSandbox(t, 'empty', { KONTOR_CHANGES_KEEP: '7d' })
  await freeze(client)
  await make(client, 'organization')
  const { cursor } = (await client.get('/api-v1-changes?limit=1')).body
  await client.post(advance, { by: 'PT1S' }) // what was there before the clock was set goes
  const { body: before } = await client.get('/api-v1-changes?limit=1')

  const { body: early } = await client.post(advance, { by: 'PT604799S' })
  await make(client, 'organization')
  const { body: late } = await client.post(advance, { by: 'PT1S' })
  const { body: now } = await client.get('/api-v1-changes')

  assert.equal(early.data.ran.removed_changes, 0, 'a change that is exactly that old is kept')
  assert.equal(late.data.ran.removed_changes, 1)
  assert.deepEqual([now.oldest_seq, now.latest_seq], [before.latest_seq + 1, before.latest_seq + 1])
  assertError(await client.get(`/api-v1-changes?after=${cursor}`), 410, 'NOT_FOUND', undefined, ['after'])
})

test('The clock advances only forward, by ten years at most, and by what is a time', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)

  assertError(
    await client.post(advance, { to: '2026-02-02T08:59:59Z' }),
    ...([409, 'CONFLICT', 'The clock is at 2026-02-02T09:00:00.000Z: it only advances forward'] as const),
  )
  for (const body of [{ by: 'P4015D' }, { to: '2037-02-02T09:00:00Z' }]) {
    assertError(await client.post(advance, body), 400, 'VALIDATION_ERROR', 'A clock advances by at most ten years')
  }
  const bad = [
    {},
    { by: '36h' },
    { by: 'P' },
    { by: 'PT' },
    { by: -5 },
    { to: 'tomorrow' },
    { by: 'PT1S', to: '2027-01-01' },
  ]
  for (const body of bad) assertError(await client.post(advance, body), 400, 'VALIDATION_ERROR')
  assertError(await client.put(clock, { mode: 'stopped' }), 400, 'VALIDATION_ERROR', undefined, ['mode'])
  assertError(await client.put(clock, { mode: 'real', now: '2026-01-01T00:00:00Z' }), 400, 'VALIDATION_ERROR')
  const late = await client.put(clock, { now: '9999-12-31T23:59:59Z' })
  assertError(late, 400, 'VALIDATION_ERROR', 'A clock ends with the year 9999', ['now'])
  assert.equal((await client.get(clock)).body.data.now, '2026-02-02T09:00:00.000Z')
  assert.equal((await client.post(advance, { by: 'P1W' })).body.data.now, '2026-02-09T09:00:00.000Z')
  assert.equal((await client.post(advance, { by: 'P1DT1H1M1.5S' })).body.data.now, '2026-02-10T10:01:01.500Z')
})
