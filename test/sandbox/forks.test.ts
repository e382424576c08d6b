import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, clientFor } from '../support/client.ts'
import { control, forkOf, freeze, openSandbox } from './sandbox.ts'

const organizations = '/api-v1-organizations'
const namesOf = async (client: Client) =>
  (await client.get(`${organizations}?sort=name:asc`)).body.data.map(({ name }: { name: string }) => name)

test('A fork has its own records, clock, faults, inbox and journal', async (t) => {
  const sandbox = await openSandbox(t)
  const { client } = sandbox
  await freeze(client)
  await client.post(organizations, { name: 'Shared' })
  const fork = await forkOf(sandbox)

  await fork.post(organizations, { name: 'Fork' })
  await client.post(organizations, { name: 'Main' })
  await fork.post(`${control}/clock/advance`, { by: 'P1D' })
  await fork.put(`${control}/faults`, [{ match: { path: '/api-v1-deals' }, do: { status: 500 } }])

  assert.deepEqual(
    [await namesOf(fork), await namesOf(client)],
    [
      ['Fork', 'Shared'],
      ['Main', 'Shared'],
    ],
  )
  assert.deepEqual([(await fork.get('/api-v1-deals')).status, (await client.get('/api-v1-deals')).status], [500, 200])
  const clocks = [await client.get(`${control}/clock`), await fork.get(`${control}/clock`)]
  assert.deepEqual(
    clocks.map(({ body }) => body.data.now),
    ['2026-02-02T09:00:00.000Z', '2026-02-03T09:00:00.000Z'],
  )
  const journal = await fork.get(`${control}/requests?path=${organizations}&method=POST`)
  assert.deepEqual(
    journal.body.data.map(({ body }: { body: unknown }) => body),
    [{ name: 'Fork' }],
  )
})

test('A fork starts from the present, the start, the demo or a snapshot, and can be forked and reset itself', async (t) => {
  const sandbox = await openSandbox(t)
  const { client, url } = sandbox
  await client.post(organizations, { name: 'A' })
  await client.put(`${control}/snapshots/one`, {})
  await client.post(organizations, { name: 'B' })

  assert.deepEqual(await namesOf(await forkOf(sandbox)), ['A', 'B'])
  assert.deepEqual(await namesOf(await forkOf(sandbox, { from: 'one' })), ['A'])
  assert.deepEqual(await namesOf(await forkOf(sandbox, { from: 'start' })), [])
  assert.equal((await (await forkOf(sandbox, { from: 'demo' })).get(organizations)).body.pagination.total, 40)

  const fork = await forkOf(sandbox)
  await fork.post(organizations, { name: 'C' })
  const second = await forkOf({ url, client: fork })
  await second.post(organizations, { name: 'D' })
  await fork.post(`${control}/reset`, {})
  assert.deepEqual(
    [await namesOf(fork), await namesOf(second)],
    [
      ['A', 'B'],
      ['A', 'B', 'C', 'D'],
    ],
  )
  assertError(await fork.post(`${control}/reset`, { to: 'one' }), 404, 'NOT_FOUND')
})

test('The keys of a fork work only there, also those that it creates', async (t) => {
  const sandbox = await openSandbox(t)
  const [one, two] = [await forkOf(sandbox, { seed: 'same' }), await forkOf(sandbox, { seed: 'same' })]
  const keyOf = async (client: Client) => {
    const { body } = await client.post('/api-v1-keys', { name: 'Reader', scopes: ['read:all'] })
    return clientFor(sandbox.url, { id: body.data.id, key: body.data.key })
  }
  const [ofOne, ofTwo, ofMain] = [await keyOf(one), await keyOf(two), await keyOf(sandbox.client)]
  assert.equal(new Set([ofOne, ofTwo, ofMain, one, two].map(({ key }) => key)).size, 5)
  await one.post(organizations, { name: 'One' })
  await two.post(organizations, { name: 'Two' })

  assert.deepEqual([await namesOf(ofOne), await namesOf(ofTwo), await namesOf(ofMain)], [['One'], ['Two'], []])
  assertError(await ofOne.post(`${control}/reset`, {}), 403, 'INSUFFICIENT_PERMISSIONS')
  await one.post(`${control}/reset`, {})
  assertError(await ofOne.get(organizations), 401, 'INVALID_API_KEY')
})

test('A fork is deleted by its own key or by that of its parent, and its key is then invalid', async (t) => {
  const sandbox = await openSandbox(t)
  const [one, two, three] = [await forkOf(sandbox), await forkOf(sandbox), await forkOf(sandbox)]

  assertError(await two.delete(`${control}/forks/${one.fork.id}`), 404, 'NOT_FOUND')
  assert.equal((await one.delete(`${control}/forks/${one.fork.id}`)).status, 200)
  assert.equal((await sandbox.client.delete(`${control}/forks/${two.fork.id}`)).status, 200)
  assertError(await sandbox.client.delete(`${control}/forks/${two.fork.id}`), 404, 'NOT_FOUND')
  for (const gone of [one, two]) assertError(await gone.get(organizations), 401, 'INVALID_API_KEY')
  assert.equal((await three.get(organizations)).status, 200)
})

test('A fork ends when it has not been used for its time', async (t) => {
  let passedMs = 0
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + passedMs)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const pass = (ms: number) => {
    passedMs += ms
    t.mock.timers.tick(ms)
  }
  const sandbox = await openSandbox(t)
  const [unused, used] = [await forkOf(sandbox, { ttl_seconds: 90 }), await forkOf(sandbox, { ttl_seconds: 90 })]

  for (let minute = 0; minute < 2; minute++) {
    assert.equal((await used.get(organizations)).status, 200)
    pass(60_000)
  }

  assertError(await unused.get(organizations), 401, 'INVALID_API_KEY')
  assert.equal((await used.get(organizations)).status, 200)
})

test('A fork can enforce the limits of the plan, by its own clock', async (t) => {
  const sandbox = await openSandbox(t)
  const fork = await forkOf(sandbox, { rate_limits: 'plan' })
  await freeze(fork)
  const limit = Number((await fork.get('/api-v1-me')).headers.get('x-ratelimit-limit'))

  for (let n = 1; n < limit; n++) assert.equal((await fork.get('/api-v1-me')).status, 200)

  assertError(await fork.get('/api-v1-me'), 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal((await fork.post(`${control}/clock/advance`, { by: 'PT1M' })).status, 200)
  assert.equal((await fork.get('/api-v1-me')).status, 200)
})

test('The 201st fork is refused', async (t) => {
  const sandbox = await openSandbox(t)
  for (let n = 0; n < 200; n++) await forkOf(sandbox)

  const refused = await sandbox.client.post(`${control}/forks`, {})

  assertError(refused, 409, 'CONFLICT', 'There are 200 forks: delete one, or wait until one has expired')
})

test('Bad bodies of a fork are refused', async (t) => {
  const { client } = await openSandbox(t)
  const fault = async (body: object, field: string) =>
    assertError(await client.post(`${control}/forks`, body), 400, 'VALIDATION_ERROR', undefined, [field])

  await fault({ from: 'a/b' }, 'from')
  await fault({ seed: '' }, 'seed')
  const { body } = await client.post(`${control}/forks`, { seed: '' })
  assert.equal(body.error.details[0].code, 'INVALID_VALUE')
  await fault({ ttl_seconds: 0 }, 'ttl_seconds')
  await fault({ clock: 'yesterday' }, 'clock')
  await fault({ clock: { mode: 'real', now: '2026-01-05T09:00:00Z' } }, 'now')
  await fault({ rate_limits: true }, 'rate_limits')
  await fault({ name: 'x' }, 'name')
  assertError(await client.post(`${control}/forks`, { from: 'unknown' }), 404, 'NOT_FOUND')
})

test('The same mistake in a body of control has the code that it has in other bodies', async (t) => {
  const { client } = await openSandbox(t)
  const reset = { do: { reset: true } }
  const cases = [
    ['PUT', 'clock', { mode: 'x' }, 'mode', 'INVALID_VALUE'],
    ['PUT', 'clock', { mode: 5 }, 'mode', 'INVALID_TYPE'],
    ['PUT', 'clock', { now: 'x' }, 'now', 'INVALID_FORMAT'],
    ['POST', 'forks', { rate_limits: 'x' }, 'rate_limits', 'INVALID_VALUE'],
    ['POST', 'forks', { clock: 'x' }, 'clock', 'INVALID_FORMAT'],
    ['POST', 'forks', { clock: 5 }, 'clock', 'INVALID_TYPE'],
    ['POST', 'forks', { clock: { mode: 'x' } }, 'mode', 'INVALID_VALUE'],
    ['POST', 'requests/count', { match: { pat: '/' } }, 'match.pat', 'INVALID_VALUE'],
    ['POST', 'requests/count', { match: [] }, 'match', 'INVALID_TYPE'],
    ['POST', 'requests/count', { match: null }, 'match', 'INVALID_TYPE'],
    ['PUT', 'faults', [{ ...reset, match: [] }], 'items[0].match', 'INVALID_TYPE'],
    ['PUT', 'faults', [[]], 'items[0]', 'INVALID_TYPE'],
    ['PUT', 'faults', [{ ...reset, match: { pat: '/' } }], 'items[0].match.pat', 'INVALID_VALUE'],
    ['PUT', 'faults', [{ ...reset, match: '/' }], 'items[0].match', 'INVALID_TYPE'],
    ['PUT', 'faults', [{}], 'items[0].do', 'REQUIRED'],
  ] as const
  for (const [method, path, body, field, code] of cases) {
    const send = method === 'PUT' ? client.put : client.post
    const [detail] = (await send(`${control}/${path}`, body)).body.error.details
    assert.deepEqual([detail.field, detail.code], [field, code], `${path} ${JSON.stringify(body)}`)
  }
})
