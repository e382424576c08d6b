import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { assertError, send } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { type Server, start } from '../support/start.ts'
import { countOf, limitsOf, times } from './limits.ts'

const path = '/api-v1-organizations'
const midnight = Date.UTC(2026, 5, 16) / 1000
const hour = 3_600_000

function setPlan(server: Pick<Server, 'store'>, perMinute: number, perDay: number) {
  const limits = { requests_per_minute: perMinute, requests_per_day: perDay }
  return server.store.writeAccess((tx) => updatePlan(tx, 'free', limits))
}

test('The plan free allows 500 requests a day, minute by minute, and not one more', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { client } = await server.company('Acme', 'free')
  let served = 0
  for (let burst = 0; burst < 17; burst++) {
    served += countOf(await times(30, () => client.get(path)), 200)
    server.clock.advance(60_000)
  }

  const refused = await client.get(path)

  assert.equal(served, 500)
  assertError(refused, 429, 'DAILY_LIMIT_EXCEEDED')
  assert.deepEqual(limitsOf(refused), { limit: 500, remaining: 0, reset: midnight })
  const secondsLeft = 12 * 3600 - 17 * 60
  assert.equal(refused.headers.get('retry-after'), String(secondsLeft))
  assert.equal(refused.headers.get('ratelimit'), `"day";r=0;t=${secondsLeft}`)
})

test('The day ends at midnight UTC, not 24 hours after the first request', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await setPlan(server, 100, 3)
  const { client } = await server.company('Acme', 'free')
  await times(3, () => client.get(path))

  server.clock.advance(12 * hour - 1)
  const before = await client.get(path)
  server.clock.advance(1)
  const responses = await times(4, () => client.get(path))

  assertError(before, 429, 'DAILY_LIMIT_EXCEEDED')
  assert.equal(before.headers.get('retry-after'), '1')
  assert.deepEqual([countOf(responses, 200), countOf(responses, 429)], [3, 1])
})

test('The headers describe the window that has fewer requests left', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await setPlan(server, 10, 12)
  const { client } = await server.company('Acme', 'free')

  const inMinute = await times(8, () => client.get(path))
  server.clock.advance(60_000)
  const inDay = await client.get(path)

  assert.deepEqual(limitsOf(inMinute.at(-1)!).limit, 10)
  assert.deepEqual(limitsOf(inDay), { limit: 12, remaining: 3, reset: midnight })
  assert.equal(inDay.headers.get('ratelimit'), `"day";r=3;t=${12 * 3600 - 60}`)
})

test('If both windows are used up, the error is DAILY_LIMIT_EXCEEDED', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await setPlan(server, 2, 2)
  const { client } = await server.company('Acme', 'free')
  await times(2, () => client.get(path))

  const refused = await client.get(path)

  assertError(refused, 429, 'DAILY_LIMIT_EXCEEDED')
  assert.equal(refused.headers.get('retry-after'), String(12 * 3600))
})

test('The daily count survives a restart, without the rejected requests', async (t) => {
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const first = await start(t, { directory, clock, rateLimits: 'plan' })
  await setPlan(first, 3, 5)
  const before = await first.client('free')
  await times(3, () => before.get(path))
  await times(4, () => before.get(path))
  await first.stop()

  clock.advance(60_000)
  const second = await start(t, { directory, clock, rateLimits: 'plan' })
  const headers = { Authorization: `Bearer ${before.key}` }
  const responses = await times(3, async () => {
    const { status, headers: got, ...rest } = await fetch(`${second.url}${path}`, { headers })
    return { status, headers: got, body: rest }
  })

  assert.deepEqual([countOf(responses, 200), countOf(responses, 429)], [2, 1])
  const refused = responses.find(({ status }) => status === 429)!
  assert.deepEqual(limitsOf(refused), { limit: 5, remaining: 0, reset: midnight })
})

test('The daily count that survives a restart has the requests that were not found', async (t) => {
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const first = await start(t, { directory, clock, rateLimits: 'plan' })
  await setPlan(first, 100, 3)
  const { key, get } = await first.client('free')
  await times(3, () => get('/api-v1-nothing'))
  await first.stop()

  const { url } = await start(t, { directory, clock, rateLimits: 'plan' })
  const response = await send(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } })

  assertError(response, 429, 'DAILY_LIMIT_EXCEEDED')
})

test('After a restart on the next day the daily count is zero', async (t) => {
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const first = await start(t, { directory, clock, rateLimits: 'plan' })
  await setPlan(first, 100, 2)
  const { key, get } = await first.client('free')
  await times(2, () => get(path))
  await first.stop()

  clock.advance(12 * hour)
  const second = await start(t, { directory, clock, rateLimits: 'plan' })
  const response = await fetch(`${second.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })

  assert.equal(response.status, 200)
  assert.equal(limitsOf(response).remaining, 1)
})

test('Setting the clock to another day and back keeps the count of each day', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await setPlan(server, 100, 5)
  const { client } = await server.company('Acme', 'free')
  await times(3, () => client.get(path))
  await server.usage.flush()

  server.clock.jump(24 * hour)
  const ahead = await client.get(path)
  await server.usage.flush()
  server.clock.jump(-24 * hour)
  const back = await times(3, () => client.get(path))

  assert.equal(limitsOf(ahead).remaining, 4)
  assert.deepEqual([countOf(back, 200), countOf(back, 429)], [2, 1])
})

test('A clock that is set back over midnight continues the counts of both days', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await setPlan(server, 100, 5)
  const { client } = await server.company('Acme', 'free')
  server.clock.advance(12 * hour)
  await times(2, () => client.get(path))
  await server.usage.flush()

  server.clock.jump(-hour)
  const before = await client.get(path)
  await server.usage.flush()
  server.clock.advance(hour)
  const after = await client.get(path)

  assert.deepEqual([limitsOf(before).remaining, limitsOf(after).remaining], [4, 2])
})
