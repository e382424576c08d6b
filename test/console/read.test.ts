import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, times } from '../access/limits.ts'
import { uploaded } from '../features/files/files.ts'
import { assertError, clientFor } from '../support/client.ts'
import { type Server, start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const readAll = (api: Visitor, ...targets: string[]) =>
  api.get(`/console/read?${targets.map((target) => `get=${encodeURIComponent(target)}`).join('&')}`)

/** Single requests for the same, in the form of the responses that are read together. */
async function readSingly(api: Visitor, ...targets: string[]) {
  const responses = await Promise.all(targets.map((target) => api.get(target)))
  return responses.map(({ status, headers, body }) => {
    const etag = headers.get('ETag')
    return { status, ...(etag !== null && { etag }), body }
  })
}

async function companyOf(server: Server): Promise<Visitor> {
  const owner = await newOwner(server)
  for (const name of ['Nordwind', 'Südwind']) await owner.post('/api-v1-organizations', { name })
  return owner
}

test('One request returns what several requests return, with their ETags and in their order', async (t) => {
  const owner = await companyOf(await start(t))
  const { id } = (await owner.get('/api-v1-organizations')).body.data[0]
  const targets = [
    `/api-v1-organizations/${id}`,
    '/api-v1-organizations?sort=name&limit=1',
    '/api-v1-organizations/summary?group_by=status',
    '/console/session',
    '/api-v1-deals?q=nord',
  ]
  const { status, headers, body } = await readAll(owner, ...targets)
  assert.equal(status, 200)
  assert.deepEqual(body.data, await readSingly(owner, ...targets))
  assert.equal(headers.get('Cache-Control'), 'no-store')
})

test('An error is the response to its own path only', async (t) => {
  const owner = await companyOf(await start(t))
  const { body } = await readAll(
    owner,
    '/api-v1-organizations/00000000-0000-7000-8000-000000000000',
    '/api-v1-nothing',
    '/api-v1-organizations?limit=x',
    '/api-v1-organizations',
  )
  assert.deepEqual(
    body.data.map(({ status, body }: { status: number; body: { error?: { code: string } } }) => [
      status,
      body.error?.code,
    ]),
    [
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [400, 'VALIDATION_ERROR'],
      [200, undefined],
    ],
  )
})

test('Reading together needs a session and has its rights, company and environment', async (t) => {
  const server = await start(t)
  const owner = await companyOf(server)
  await owner.post('/api-v1-keys', { name: 'CI', scopes: ['admin:all'] })
  const member = await newColleague(server, 'member')
  const statusesOf = async (path: string, headers = {}) => {
    const { body } = await member.get(`/console/read?get=${path}`, headers)
    return body.data.map(({ status, body }: never) => [status, (body as { data?: unknown[] }).data?.length])
  }
  assert.deepEqual(await statusesOf('/api-v1-organizations'), [[200, 2]])
  assert.deepEqual(await statusesOf('/api-v1-organizations', { 'Kontor-Environment': 'test' }), [[200, 0]])
  assert.equal((await readAll(owner, '/api-v1-keys')).body.data[0].body.pagination.total, 1)
  assert.deepEqual(await statusesOf('/api-v1-keys'), [[200, 0]])

  const { client } = await server.company('Other')
  assertError(await client.get('/console/read?get=/api-v1-organizations'), 403, 'INSUFFICIENT_PERMISSIONS')
  member.cookie = undefined
  assertError(await readAll(member, '/api-v1-organizations'), 401, 'UNAUTHORIZED')
})

test('A file, other paths, no path and more than 16 paths are refused', async (t) => {
  const server = await start(t)
  const owner = await companyOf(server)
  const made = await owner.post('/api-v1-keys', { name: 'CI', scopes: ['admin:all'] })
  const { id } = await uploaded(clientFor(server.url, made.body.data), 'An offer')
  const { body } = await readAll(owner, '/api-v1-snapshot', `/api-v1-files/${id}/content`, `/api-v1-files/${id}`)
  assertError(body.data[0], 400, 'INVALID_REQUEST')
  assertError(body.data[1], 400, 'INVALID_REQUEST')
  assert.equal(body.data[2].status, 200)
  const path = '/api-v1-organizations'
  for (const targets of [
    [],
    Array(17).fill(path),
    ['/healthz'],
    ['https://a.example/api-v1-x'],
    ['/console/read?get=x'],
  ]) {
    assertError(await readAll(owner, ...targets), 400, 'INVALID_REQUEST')
  }
})

test('Every response that is read counts against the rate limit', async (t) => {
  const server = await start(t)
  const owner = await companyOf(server)
  const left = async () => Number((await owner.get('/console/session')).headers.get('X-RateLimit-Remaining'))
  const before = await left()
  await readAll(owner, ...Array(5).fill('/api-v1-organizations'))
  assert.equal(before - (await left()), 7)
})

test('Reads that the rate limit refuses do not make room for others', async (t) => {
  const owner = await newOwner(await start(t, { rateLimits: 'plan' }))
  await times(995, () => owner.get('/console/session'))

  const { body } = await readAll(owner, ...Array(15).fill('/console/session'))

  assert.deepEqual([countOf(body.data, 200), countOf(body.data, 429)], [4, 11])
  assertError(await owner.get('/console/session'), 429, 'RATE_LIMIT_EXCEEDED')
})

test('A page of long records is read together with others', async (t) => {
  const owner = await companyOf(await start(t))
  const note = { type: 'note', description: 'long '.repeat(2_000) }
  for (let count = 0; count < 150; count++) assert.equal((await owner.post('/api-v1-activities', note)).status, 201)
  const targets = ['/api-v1-organizations', '/api-v1-activities?limit=1000', '/api-v1-tasks']
  const { body } = await readAll(owner, ...targets)
  assert.deepEqual(body.data, await readSingly(owner, ...targets))
})
