import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { headers as ofResponses, requestHeaders } from '../../src/http/openapi/headers.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { readResponses, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'

const path = '/api-v1-organizations'
const origin = 'https://app.example'
const preflight = { Origin: origin, 'Access-Control-Request-Method': 'PATCH' }

const safe: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
}

test('Every response tells browsers not to display or cache it', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'organization')
  const etag = (await client.get(`${path}/${id}`)).headers.get('etag')!

  const responses = [
    await client.get(path),
    await client.get(`${path}/${id}`, { 'If-None-Match': etag }),
    await client.get('/nowhere'),
    await client.delete(`${path}/${id}`),
    await fetch(`${server.url}/healthz`),
  ]
  const [malformed] = readResponses(await sendRaw(server.url, 'nonsense\r\n\r\n'))

  for (const { headers } of [...responses, malformed!]) {
    for (const [name, value] of Object.entries(safe)) assert.equal(headers.get(name), value)
    assert.equal(headers.get('strict-transport-security') ?? null, null)
  }
})

test('By default, pages of other origins may not call the API', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const [response, asked] = [
    await client.get(path, { Origin: origin }),
    await client.request('OPTIONS', path, { headers: preflight }),
  ]

  assert.equal(response.headers.get('access-control-allow-origin'), null)
  assertError(asked, 405, 'INVALID_REQUEST')
})

test('Pages of a configured origin may call the API, pages of other origins may not', async (t) => {
  const { client } = await (await start(t, { limits: { corsOrigins: [origin] } })).company('Acme')

  const allowed = await client.get(path, { Origin: origin })
  const fault = await client.get(`${path}?nonsense=1`, { Origin: origin })
  const strange = [
    'https://evil.example',
    `${origin}.evil.example`,
    `${origin}:444`,
    'http://app.example',
    'https://app',
    'null',
  ]

  for (const { headers } of [allowed, fault]) {
    assert.equal(headers.get('access-control-allow-origin'), origin)
    assert.match(headers.get('access-control-expose-headers')!, /\bETag\b.*\bRetry-After\b/)
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
  for (const Origin of strange) {
    const { headers } = await client.get(path, { Origin })
    assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('vary')], [null, 'Origin'], Origin)
  }
})

test('A CORS preflight request needs no key and counts for the limit of its address', async (t) => {
  const server = await start(t, { limits: { corsOrigins: ['*'] } })

  const { status, headers } = await fetch(`${server.url}${path}`, { method: 'OPTIONS', headers: preflight })

  assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, '*'])
  assert.match(headers.get('access-control-allow-methods')!, /PATCH/)
  assert.match(headers.get('access-control-allow-headers')!, /Authorization.*Idempotency-Key/)
  assert.equal(headers.get('x-ratelimit-remaining'), '299')
})

/** Those that the browser itself reads or passes on, and those that say the same each time. */
const unread =
  /^(?:Cache-Control|Content-Security-Policy|X-(?:Content-Type-Options|Frame-Options|Accel-Buffering)|Referrer-Policy|Cross-Origin-.*|Permissions-Policy|WWW-Authenticate)$/

test('A page of an allowed origin may send each header that the document describes, and read each of a response', async (t) => {
  const { url } = await start(t, { limits: { corsOrigins: ['*'] } })

  const { headers } = await fetch(`${url}${path}`, { method: 'OPTIONS', headers: preflight })
  const namesIn = (name: string) => headers.get(`access-control-${name}-headers`)!.split(', ')

  const sent = Object.values(requestHeaders).map(({ name }) => name)
  const read = Object.keys(ofResponses).filter((name) => !unread.test(name))
  assert.deepEqual(
    [sent.filter((name) => !namesIn('allow').includes(name)), read.filter((name) => !namesIn('expose').includes(name))],
    [[], []],
  )
})

for (const invalid of [
  ...['app.example', 'https://app.example/', 'null', 'https://App.example', 'https://app.example:443'],
  ...[
    'https://app.example\\a',
    'https://ada@app.example',
    'https://app.example?a',
    'https://app\t.example',
    'https:app.example',
  ],
]) {
  test(`The origin "${invalid}" is rejected as invalid`, () => {
    assert.throws(
      () => readConfig(['corsOrigins'], {}, { KONTOR_CORS_ORIGINS: invalid }),
      /KONTOR_CORS_ORIGINS must be origins as browsers send them/,
    )
  })
}
