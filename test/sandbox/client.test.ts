import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { connectSandbox } from '../../src/client/connect.ts'
import type { Sandbox } from '../../src/client/types.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { openSandbox, sandboxKey } from './sandbox.ts'

// The interface that kontor/test has for the control endpoints. How it starts a sandbox: test/e2e/start-sandbox.test.ts.

const organizations = '/api-v1-organizations'
const frozen = '2026-02-02T09:00:00.000Z'

async function connect(t: TestContext, seed?: 'empty' | 'demo'): Promise<Sandbox> {
  const { url } = await openSandbox(t, seed)
  return connectSandbox({ url, key: sandboxKey })
}

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
async function bodyOf(response: Response): Promise<any> {
  return response.json()
}

async function totalOf(sandbox: Sandbox): Promise<number> {
  return (await bodyOf(await sandbox.fetch(organizations))).pagination.total
}

async function add(sandbox: Sandbox, name: string) {
  const response = await sandbox.fetch(organizations, { json: { name } })
  assert.equal(response.status, 201)
  return (await bodyOf(response)).data
}

test('fetch sends JSON with the key of the sandbox, unless the request has its own headers or method', async (t) => {
  const sandbox = await connect(t)

  const { id } = await add(sandbox, 'Acme')
  const patched = await sandbox.fetch(`${organizations}/${id}`, { method: 'PATCH', json: { city: 'Oslo' } })
  const anonymous = await sandbox.fetch(organizations, { headers: { authorization: 'Bearer svc_test_other' } })

  assert.equal((await bodyOf(patched)).data.city, 'Oslo')
  assert.equal(anonymous.status, 401)
  await assert.rejects(sandbox.fetch('@example.com/'), TypeError)
})

test('The clock is read, set, frozen and advanced; moments are Dates or timestamps', async (t) => {
  const { clock } = await connect(t)

  const states = [
    await clock.freeze(new Date(frozen)),
    await clock.get(),
    await clock.set({ now: '2026-03-01T00:00:00Z' }),
    await clock.freeze(),
    await clock.advance('PT36H'),
    await clock.advance({ by: 'P1D' }),
    await clock.advance({ to: new Date('2026-03-04T00:00:00Z') }),
  ]

  const day = (text: string) => `2026-03-${text}:00:00.000Z`
  assert.deepEqual(
    states.map(({ now }) => now),
    [frozen, frozen, day('01T00'), day('01T00'), day('02T12'), day('03T12'), day('04T00')],
  )
  const nothing = { deliveries: 0, expired_keys: 0, removed_jobs: 0, removed_deliveries: 0, removed_changes: 0 }
  assert.deepEqual(states[4], { now: day('02T12'), ran: nothing })
  assert.deepEqual(states[3], { now: day('01T00'), mode: 'frozen' })
})

test('Faults are set, listed and removed, and the requests they met are counted', async (t) => {
  const { fetch, faults, requests } = await connect(t)
  const fault = { match: { path: `${organizations}*` }, do: { status: 503, retry_after: 2 } }

  const set = await faults.set([{ ...fault, times: 2 }])
  const [first] = [await fetch(organizations), await fetch(organizations), await fetch(organizations)]
  const left = await faults.list()
  await faults.clear()

  assert.deepEqual(set, [{ ...fault, times: 2, probability: 1 }])
  assert.deepEqual([first?.status, first?.headers.get('Retry-After')], [503, '2'])
  assert.equal(left[0]?.times, 0)
  assert.deepEqual(await faults.list(), [])
  const match = { method: 'GET', path: '/api-v1-org*', status: 503 }
  assert.deepEqual([await requests.count(match), await requests.count()], [2, 3])
  assert.deepEqual(
    (await requests.list(match)).map((each) => each.fault),
    ['status=503', 'status=503'],
  )
  assert.equal((await requests.list()).length, 3)
})

test('The inbox waits for deliveries, lists them by type and returns what it removes', async (t) => {
  const sandbox = await connect(t)
  await sandbox.fetch('/api-v1-webhooks', { json: { url: 'kontor:inbox', events: ['*'] } })
  const waiting = sandbox.inbox.list({ type: 'organization.created', count: 2, wait: 30 })

  for (const name of ['A', 'B']) await add(sandbox, name)

  const names = (deliveries: Awaited<typeof waiting>) => deliveries.map(({ body }) => body.data.name)
  assert.deepEqual(names(await waiting), ['A', 'B'])
  assert.deepEqual(await sandbox.inbox.list({ type: 'organization.deleted' }), [])
  assert.deepEqual(names(await sandbox.inbox.clear()), ['A', 'B'])
  assert.deepEqual(await sandbox.inbox.list(), [])
})

test('A reset goes to the start, to a snapshot or to the demo', async (t) => {
  const sandbox = await connect(t)
  await add(sandbox, 'Acme')
  const { name } = await sandbox.snapshot('one')
  await add(sandbox, 'Nordwind')

  const totals = []
  for (const to of [name, 'demo', undefined]) {
    const state = await sandbox.reset(to)
    assert.equal(state.to, to ?? 'start')
    totals.push(await totalOf(sandbox))
  }

  assert.deepEqual(totals, [1, 40, 0])
})

test('A fork has its own records and clock, and closing or disposing deletes it', async (t) => {
  const sandbox = await connect(t)
  await add(sandbox, 'Acme')
  const fork = await sandbox.fork({ seed: 'worker-1', clock: new Date(frozen), ttl_seconds: 60 })
  await add(fork, 'Nordwind')
  assert.deepEqual([await totalOf(sandbox), await totalOf(fork)], [1, 2])
  assert.match((await fork.clock.get()).now, /^2026-02-02T09:00:0/)

  await Promise.all([fork.close(), fork.close()])
  const disposed = await (async () => {
    await using copy = await sandbox.fork({ from: 'empty' })
    assert.equal(await totalOf(copy), 0)
    return copy
  })()

  for (const gone of [fork, disposed]) assert.equal((await gone.fetch(organizations)).status, 401)
})

test('A fork of a fork is deleted when it is closed, also after the other one', async (t) => {
  const fork = await (await connect(t)).fork()
  const other = await fork.fork()

  await fork.close()
  assert.equal((await other.fetch(organizations)).status, 200)
  await other.close()

  assert.equal((await other.fetch(organizations)).status, 401)
})

test('Closing a fork succeeds when its sandbox has ended, and closing a connected sandbox leaves it', async (t) => {
  const ends: (() => Promise<void>)[] = []
  const { url } = await openSandbox({ after: (end: () => Promise<void>) => ends.push(end) } as unknown as TestContext)
  t.after(() => ends.splice(0).map((end) => end()))
  const sandbox = connectSandbox({ url: `${url}/`, key: sandboxKey })
  const inner = await (await sandbox.fork()).fork()

  await sandbox.close()
  assert.equal(await totalOf(sandbox), 0)
  for (const end of ends.splice(0)) await end()
  await inner.close()

  await assert.rejects(sandbox.reset(), { message: `The sandbox at ${url} does not respond` })
})

test('An export is the content of a seed file', async (t) => {
  const exported = await (await connect(t, 'demo')).export()

  assert.equal((exported.organizations as unknown[]).length, 40)
})

test('Errors have the status, code and message of the API', async (t) => {
  const sandbox = await connect(t)

  await assert.rejects(sandbox.reset('none'), {
    ...{ name: 'SandboxError', status: 404, code: 'NOT_FOUND', message: 'There is no snapshot "none"' },
  })
  await assert.rejects(sandbox.clock.advance({ to: new Date(0) }), { status: 409, code: 'CONFLICT' })
  await assert.rejects(sandbox.snapshot('a b'), { status: 400, code: 'VALIDATION_ERROR' })
  await assert.rejects(sandbox.faults.set([{ do: { status: 200 } }]), { status: 400, message: /^status must be/ })
})

test('A server that is not a sandbox is refused with a clear error', async (t) => {
  const server = createServer((_request, response) => response.end('<p>Hello')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await until('the receiver listens', () => server.listening)
  const { port } = server.address() as { port: number }
  const page = connectSandbox({ url: `http://127.0.0.1:${port}`, key: sandboxKey })
  const ordinary = await start(t)
  const { client } = await ordinary.company('Acme')

  await assert.rejects(page.reset(), { code: 'INVALID_RESPONSE', message: 'This is not a sandbox: 200' })
  await assert.rejects(connectSandbox({ url: ordinary.url, key: client.key }).reset(), { code: 'NOT_FOUND' })
})
