import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeKey } from '../../src/access/key.ts'
import { times } from '../access/limits.ts'
import { assertError, send } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const organizations = '/api-v1-organizations'
const contacts = '/api-v1-contacts'
const nobody = '0197a000-0000-7000-8000-000000000000'
const json = { 'Content-Type': 'application/json' }

test('An unknown path is 404 with a valid key, below /api-v1- 401 without one', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const below = ['/api-v1-nothing', '/api-v1-', `${organizations}/${nobody}/nothing`, `${organizations}s`]

  for (const path of below) {
    assertError(await client.get(path), 404, 'NOT_FOUND', 'Route not found')
    assertError(await send(`${server.url}${path}`), 401, 'UNAUTHORIZED')
  }
})

test('An unknown path elsewhere is 404, key or not', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  for (const path of ['/nothing', '/api', '/healthz/', '/favicon.ico', '//', '/%', '/constructor', '/__proto__']) {
    assertError(await client.get(path), 404, 'NOT_FOUND', 'Route not found')
    assertError(await send(`${server.url}${path}`), 404, 'NOT_FOUND', 'Route not found')
  }
})

test('Paths are case-sensitive, and a trailing slash is significant', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  for (const path of [
    '/api-v1-Organizations',
    `${organizations}/`,
    `${organizations}/${nobody}/`,
    '/API-V1-contacts',
  ]) {
    assertError(await client.get(path), 404, 'NOT_FOUND', 'Route not found')
  }
})

test('An id with invalid percent-encoding is 404', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  for (const id of ['%', '%zz', '%E0%A4%A', '%00', '..%2f', 'x'.repeat(5_000)]) {
    const response = await client.get(`${organizations}/${id}`)

    assertError(response, 404, 'NOT_FOUND')
  }
})

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const
const served: Record<string, string[]> = {
  [organizations]: ['GET', 'HEAD', 'POST', 'PUT'],
  [`${organizations}/${nobody}`]: ['DELETE', 'GET', 'HEAD', 'PATCH'],
  [contacts]: ['GET', 'HEAD', 'POST', 'PUT'],
  [`${contacts}/${nobody}`]: ['DELETE', 'GET', 'HEAD', 'PATCH'],
}

for (const [path, allowed] of Object.entries(served)) {
  for (const method of methods.filter((each) => !allowed.includes(each))) {
    test(`${method} ${path} is 405 and lists the allowed methods`, async (t) => {
      const { client } = await (await start(t)).company('Acme')

      const response = await client.request(method, path, { headers: json })

      assertError(response, 405, 'INVALID_REQUEST')
      assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), allowed)
    })
  }
}

for (const path of ['/healthz', '/readyz', '/readyz/leader']) {
  test(`POST ${path} is 405 and lists GET as allowed`, async (t) => {
    const server = await start(t)

    const response = await send(`${server.url}${path}`, { method: 'POST' })

    assertError(response, 405, 'INVALID_REQUEST')
    assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD'])
  })
}

test('Authentication comes first: 401 before limit, route, method, scope and body', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { client } = await server.company('Acme', 'free')
  await times(31, () => client.get(organizations))
  await server.store.writeAccess((tx) => revokeKey(tx, client.keyId))

  const responses = [
    await client.get(organizations),
    await client.get('/api-v1-nothing'),
    await client.request('PUT', organizations),
    await client.request('POST', organizations, { body: '{' }),
  ]

  for (const response of responses) assertError(response, 401, 'API_KEY_REVOKED')
})

test('The rate limit comes second: 429 before route, method, scope and body', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { key } = await server.company('Acme', 'free')
  const client = await key({ scopes: ['read:contacts'] })
  await times(30, () => client.get(contacts))

  const responses = [
    await client.get('/api-v1-nothing'),
    await client.request('PUT', organizations),
    await client.get(organizations),
    await client.request('POST', contacts, { body: '{' }),
  ]

  for (const response of responses) assertError(response, 429, 'RATE_LIMIT_EXCEEDED')
})

test('The route comes third: 404 and 405 before scope and body', async (t) => {
  const { key } = await (await start(t)).company('Acme')
  const client = await key({ scopes: ['read:contacts'] })

  const unknown = await client.request('POST', `${organizations}/${nobody}/nothing`, { body: '{' })
  const wrongMethod = await client.request('PATCH', organizations, { body: '{' })

  assertError(unknown, 404, 'NOT_FOUND', 'Route not found')
  assertError(wrongMethod, 405, 'INVALID_REQUEST')
})

test('The scope comes fourth: 403 before the body’s syntax, the query and the record', async (t) => {
  const { key } = await (await start(t)).company('Acme')
  const client = await key({ scopes: ['write:contacts'] })
  const write = 'Insufficient permissions. Required scope: write:organizations'
  const read = 'Insufficient permissions. Required scope: read:contacts'

  const byBody = await client.request('POST', organizations, { body: '{' })
  const byRecord = await client.delete(`${organizations}/${nobody}`)
  const byQuery = await client.get(`${contacts}?nothing=1`)

  assertError(byBody, 403, 'INSUFFICIENT_PERMISSIONS', write)
  assertError(byRecord, 403, 'INSUFFICIENT_PERMISSIONS', write)
  assertError(byQuery, 403, 'INSUFFICIENT_PERMISSIONS', read)
})

test('The body’s syntax comes fifth: before query, values and record', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const path = `${organizations}/${nobody}`

  const syntax = await client.request('PATCH', `${path}?nothing=1`, { body: '{', headers: json })
  const type = await client.request('PATCH', path, { body: '{', headers: { 'Content-Type': 'text/plain' } })

  assertError(syntax, 400, 'INVALID_REQUEST')
  assertError(type, 415, 'INVALID_REQUEST')
})

test('Values and query come sixth: 400 before the record’s 404', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await make(client, 'organization')

  const patched = await client.patch(`${organizations}/${nobody}`, { status: 'won' })
  const nothing = await client.patch(`${organizations}/${nobody}`, {})
  const found = await client.get(`${organizations}/${nobody}?nothing=1`)
  const deleted = await client.delete(`${organizations}/none?nothing=1`)
  const referring = await client.patch(`${contacts}/${nobody}`, { organization_id: nobody })

  assertError(patched, 400, 'VALIDATION_ERROR', undefined, ['status'])
  assertError(nothing, 400, 'INVALID_REQUEST', 'No fields to update')
  assertError(found, 400, 'VALIDATION_ERROR', undefined, ['nothing'])
  assertError(deleted, 400, 'VALIDATION_ERROR', undefined, ['nothing'])
  assertError(referring, 400, 'VALIDATION_ERROR', 'Organization not found', ['organization_id'])
})

test('The record comes last: 404 for a request that is otherwise valid', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const response = await client.patch(`${organizations}/${nobody}`, { name: 'Acme' })

  assertError(response, 404, 'NOT_FOUND', 'Organization not found')
})
