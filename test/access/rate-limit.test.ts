import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { assertError, type Client } from '../support/client.ts'
import { type Server, start } from '../support/start.ts'
import { countOf, limitsOf, times } from './limits.ts'

const path = '/api-v1-organizations'
/** In seconds, like X-RateLimit-Reset. */
const noon = Date.UTC(2026, 5, 15, 12) / 1000
const minute = 60_000

const plans: [name: string, perMinute: number, perDay: number][] = [
  ['free', 30, 500],
  ['starter', 60, 1000],
  ['professional', 120, 5000],
  ['enterprise', 300, 20_000],
]

async function client(server: Server, plan: string): Promise<Client> {
  return (await server.company('Acme', plan)).client
}

for (const [plan, perMinute, perDay] of plans) {
  test(`The plan ${plan} allows ${perMinute} requests in 60 seconds, and not one more`, async (t) => {
    const server = await start(t, { rateLimits: 'plan' })
    const { get } = await client(server, plan)

    const responses = await times(perMinute, () => get(path))
    const refused = await get(path)

    assert.equal(countOf(responses, 200), perMinute)
    assert.deepEqual(limitsOf(responses.at(0)!).limit, perMinute)
    assert.equal(
      responses[0]!.headers.get('ratelimit-policy'),
      `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
    )
    assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.deepEqual(limitsOf(refused), { limit: perMinute, remaining: 0, reset: noon + 60 })
  })
}

test('The headers count down to the limit and name the second in which the oldest request leaves the window', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { get } = await client(server, 'free')

  const first = await get(path)
  server.clock.advance(1_500)
  const second = await get(path)

  assert.deepEqual(limitsOf(first), { limit: 30, remaining: 29, reset: noon + 60 })
  assert.equal(first.headers.get('ratelimit'), '"minute";r=29;t=60')
  assert.deepEqual(limitsOf(second), { limit: 30, remaining: 28, reset: noon + 60 })
  assert.equal(second.headers.get('ratelimit'), '"minute";r=28;t=59')
  assert.equal(second.headers.get('retry-after'), null)
})

test('The minute is rolling: each request stops counting 60 seconds after it', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { get } = await client(server, 'free')
  await times(10, () => get(path))
  server.clock.advance(40_000)
  await times(20, () => get(path))

  server.clock.advance(19_999)
  const early = await get(path)
  server.clock.advance(1)
  const responses = await times(11, () => get(path))

  assertError(early, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(early.headers.get('retry-after'), '1')
  assert.deepEqual([countOf(responses, 200), countOf(responses, 429)], [10, 1])
  const refused = responses.find(({ status }) => status === 429)!
  assert.equal(refused.headers.get('retry-after'), '40')
  assert.deepEqual(limitsOf(refused), { limit: 30, remaining: 0, reset: noon + 100 })
})

test('A client that waits for Retry-After is served, at any fraction of a second', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { get } = await client(server, 'free')
  server.clock.advance(250)
  await times(30, () => get(path))
  server.clock.advance(700)
  const refused = await get(path)

  server.clock.advance(Number(refused.headers.get('retry-after')) * 1000)
  const response = await get(path)

  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal(response.status, 200)
})

for (const [how, jump] of [
  ['back', -60 * minute],
  ['forward', 60 * minute],
] as const) {
  test(`A clock that is set ${how} by an hour changes no window: only the second that X-RateLimit-Reset names`, async (t) => {
    const server = await start(t, { rateLimits: 'plan' })
    const { get } = await client(server, 'free')
    await times(30, () => get(path))
    server.clock.advance(20_000)

    server.clock.jump(jump)
    const refused = await get(path)
    server.clock.advance(40_000)
    const served = await get(path)

    assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
    assert.equal(refused.headers.get('retry-after'), '40')
    assert.equal(limitsOf(refused).reset, noon + jump / 1000 + 60)
    assert.equal(served.status, 200)
  })
}

test('A rejected request is not counted', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { get } = await client(server, 'free')
  await times(30, () => get(path))
  server.clock.advance(30_000)
  await times(100, () => get(path))

  server.clock.advance(30_000)
  const responses = await times(30, () => get(path))

  assert.equal(countOf(responses, 200), 30)
})

test('Requests that fail are counted like those that succeed', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { client: all, key } = await server.company('Acme', 'free')
  const narrow = await key({ scopes: ['read:deals'] })

  await all.get('/api-v1-nothing')
  await all.post(path, {})
  const third = await all.request('POST', path, { body: 'text' })
  await narrow.get(path)
  const second = await narrow.get(path)

  assert.deepEqual([third.status, limitsOf(third).remaining], [415, 27])
  assert.deepEqual([second.status, limitsOf(second).remaining], [403, 28])
})

test('Limits apply to each key: the keys of a company have separate limits', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const company = await server.company('Acme', 'free')
  await times(31, () => company.client.get(path))

  const other = await (await company.key()).get(path)

  assert.equal(other.status, 200)
  assert.equal(limitsOf(other).remaining, 29)
})

test('A plan’s new limit takes effect on the next request, with what was already counted', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { get } = await client(server, 'free')
  const setPlan = (perMinute: number) =>
    withStore(server.directory, (store) =>
      store.writeAccess((tx) => updatePlan(tx, 'free', { requests_per_minute: perMinute })),
    )
  await times(30, () => get(path))

  await setPlan(32)
  const raised = await times(3, () => get(path))
  await setPlan(5)
  const lowered = await get(path)
  server.clock.advance(minute)
  const after = await times(6, () => get(path))

  assert.deepEqual([countOf(raised, 200), countOf(raised, 429)], [2, 1])
  assertError(lowered, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(limitsOf(lowered).limit, 5)
  assert.deepEqual([countOf(after, 200), countOf(after, 429)], [5, 1])
})

test('With limits off requests are counted down to zero, and none is rejected', async (t) => {
  const server = await start(t, { rateLimits: 'off' })
  const { get } = await client(server, 'free')

  const responses = await times(40, () => get(path))
  const last = await get(path)

  assert.equal(countOf(responses, 200), 40)
  assert.deepEqual(limitsOf(responses.at(0)!), { limit: 30, remaining: 29, reset: noon + 60 })
  assert.equal(last.status, 200)
  assert.equal(limitsOf(last).remaining, 0)
})

test('Health checks have no limit and no limit headers', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })

  const responses = await times(350, () => fetchHealth(server))

  assert.equal(countOf(responses, 200), 350)
  assert.equal(responses[0]!.headers.get('x-ratelimit-limit'), null)
  assert.equal(responses[0]!.headers.get('ratelimit'), null)
})

async function fetchHealth(server: Server) {
  const { status, headers, ...response } = await fetch(`${server.url}/healthz`)
  return { status, headers, body: response }
}
