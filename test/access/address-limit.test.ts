import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, send } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { countOf, limitsOf, times } from './limits.ts'

const path = '/api-v1-organizations'
const noon = Date.UTC(2026, 5, 15, 12) / 1000
const unknownKey = `svc_live_${'x'.repeat(32)}`

test('Requests without a valid key are limited to 300 a minute for each address, whatever the error', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const request = (key?: string) =>
    send(`${server.url}${path}`, key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } })

  const missing = await times(100, () => request())
  const malformed = await times(100, () => request('nonsense'))
  const unknown = await times(100, () => request(unknownKey))
  const refused = [await request(), await request('nonsense'), await request(unknownKey)]

  assert.equal(countOf([...missing, ...malformed, ...unknown], 401), 300)
  for (const response of refused) {
    assertError(response, 429, 'RATE_LIMIT_EXCEEDED')
    assert.equal(response.headers.get('retry-after'), '60')
    assert.deepEqual(limitsOf(response), { limit: 300, remaining: 0, reset: noon + 60 })
  }
})

test('A response to a request without a valid key has the rate limit headers of its address', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })

  const first = await send(`${server.url}${path}`)
  server.clock.advance(10_000)
  const second = await send(`${server.url}/nowhere`)

  assert.deepEqual(limitsOf(first), { limit: 300, remaining: 299, reset: noon + 60 })
  assert.equal(first.headers.get('ratelimit-policy'), '"minute";q=300;w=60')
  assert.deepEqual(limitsOf(second), { limit: 300, remaining: 298, reset: noon + 60 })
  assert.equal(second.headers.get('ratelimit'), '"minute";r=298;t=50')
})

test('A method that a path does not have counts for the address, also where there is no key', async (t) => {
  const server = await start(t, { rateLimits: 'plan', limits: { mailDomain: 'in.example.com' } })
  const paths = ['/mail/in', '/calendar/cal_x/tasks.ics', `/console/message-frame/live/${unknownId}`, '/docs', path]

  for (const [at, each] of paths.entries()) {
    const response = await send(`${server.url}${each}`, { method: 'PUT' })
    assert.equal(response.status, each === path ? 401 : 405, each)
    assert.deepEqual(limitsOf(response), { limit: 300, remaining: 299 - at, reset: noon + 60 }, each)
  }
})

test('Valid keys still work at an address from which keys are guessed', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { client } = await server.company('Acme')
  await times(310, () => send(`${server.url}${path}`))

  const response = await client.get(path)

  assert.equal(response.status, 200)
  assert.equal(limitsOf(response).remaining, 299)
})

test('An address at its limit is admitted again when its oldest request is 60 seconds old', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  await times(301, () => send(`${server.url}${path}`))

  server.clock.advance(59_999)
  const before = await send(`${server.url}${path}`)
  server.clock.advance(1)
  const after = await send(`${server.url}${path}`)

  assertError(before, 429, 'RATE_LIMIT_EXCEEDED')
  assertError(after, 401, 'UNAUTHORIZED')
})

test('A key that expired or was revoked counts for the address', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { key } = await server.company('Acme')
  const expired = await key({ expiresAt: '2026-06-15' })

  const response = await expired.get(path)

  assertError(response, 401, 'API_KEY_EXPIRED')
  assert.deepEqual(limitsOf(response), { limit: 300, remaining: 299, reset: noon + 60 })
})

test('A request with a valid key counts for the key, not for its address, whatever its errors', async (t) => {
  const server = await start(t, { rateLimits: 'plan', limits: { urlBytesMax: 100 } })
  const { client } = await server.company('Acme')
  await times(300, () => send(`${server.url}${path}`))

  const response = await client.get(`${path}?name=${'x'.repeat(100)}`)
  const next = await client.get(path)

  assertError(response, 414, 'INVALID_REQUEST')
  assert.equal(limitsOf(response).remaining - limitsOf(next).remaining, 1)
  assertError(await send(`${server.url}${path}`), 429, 'RATE_LIMIT_EXCEEDED')
})

test('IPv6 addresses of one /64 share a limit, separate from other networks', async (t) => {
  const server = await start(t, { rateLimits: 'plan', limits: { trustedProxies: ['loopback'] } })
  const from = (address: string) => send(`${server.url}${path}`, { headers: { 'X-Forwarded-For': address } })

  await times(299, () => from('2001:db8:0:1::1'))
  const last = await from('2001:0db8:0:1:ffff:ffff:ffff:ffff')
  const refused = await from('2001:db8:0:1::2')
  const neighbour = await from('2001:db8:0:2::1')

  assert.deepEqual([last.status, limitsOf(last).remaining], [401, 0])
  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.deepEqual([neighbour.status, limitsOf(neighbour).remaining], [401, 299])
})
