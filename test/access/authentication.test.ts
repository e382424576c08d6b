import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeKey, setKeyActive } from '../../src/access/key.ts'
import { assertError, type Client, send } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { type Server, start } from '../support/start.ts'
import { signIn, visit } from '../support/visitor.ts'

const path = '/api-v1-organizations'
const missing = 'API key is missing: send it as "Authorization: Bearer <API_KEY>"'
const letters = 'aB3'.repeat(11)

function sendAs(server: Server, authorization?: string) {
  return send(`${server.url}${path}`, authorization === undefined ? {} : { headers: { Authorization: authorization } })
}

test('A request without a bearer key is rejected with a message on how to send one', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const none = [undefined, '', client.key, `Basic ${btoa(`${client.key}:`)}`, `Token ${client.key}`]

  for (const authorization of none) {
    const response = await sendAs(server, authorization)

    assertError(response, 401, 'UNAUTHORIZED', missing)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  }
})

test('Every 401 names the scheme of keys, also those of the console', async (t) => {
  const server = await start(t)
  const visitor = visit(server.url)
  const responses = [
    await visitor.get('/console/session'),
    await signIn(visitor, 'nobody@acme.example'),
    await visitor.get(`/console/message-frame/live/${unknownId}`),
  ]

  for (const response of responses) {
    assertError(response, 401, 'UNAUTHORIZED')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  }
})

for (const [what, text] of Object.entries({
  'of another service': `sk_live_${letters.slice(0, 32)}`,
  'of an unknown environment': `svc_prod_${letters.slice(0, 32)}`,
  'one character short': `svc_live_${letters.slice(0, 31)}`,
  'one character long': `svc_live_${letters.slice(0, 33)}`,
  'with a character other than letters and digits': `svc_live_${letters.slice(0, 31)}-`,
  'with its prefix in capitals': `SVC_LIVE_${letters.slice(0, 32)}`,
  'followed by another one': `svc_live_${letters.slice(0, 32)}, svc_live_${letters.slice(0, 32)}`,
})) {
  test(`A key ${what} has an invalid format`, async (t) => {
    const server = await start(t)

    const response = await sendAs(server, `Bearer ${text}`)

    assertError(response, 401, 'INVALID_API_KEY', 'Invalid API key format')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  })
}

test('A well-formed key that does not exist is invalid', async (t) => {
  const server = await start(t)

  const response = await sendAs(server, `Bearer svc_live_${letters.slice(0, 32)}`)

  assertError(response, 401, 'INVALID_API_KEY', 'Invalid API key')
  assert.equal(response.headers.get('www-authenticate'), 'Bearer')
})

test('Keys are case-sensitive, and a key with the other environment’s prefix is invalid', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const random = client.key.slice('svc_live_'.length)
  const swapped = random.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

  const otherCase = await sendAs(server, `Bearer svc_live_${swapped}`)
  const otherEnvironment = await sendAs(server, `Bearer svc_test_${random}`)

  assertError(otherCase, 401, 'INVALID_API_KEY', 'Invalid API key')
  assertError(otherEnvironment, 401, 'INVALID_API_KEY', 'Invalid API key')
})

test('The Bearer scheme is case-insensitive and may be followed by several spaces', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR   ']) {
    const response = await sendAs(server, `${scheme}${client.key}`)

    assert.equal(response.status, 200, scheme)
  }
})

test('A key in the URL is ignored, and no response contains it', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  for (const name of ['api_key', 'key', 'access_token', 'token', 'authorization']) {
    const alone = await send(`${server.url}${path}?${name}=${client.key}`)
    const withKey = await client.get(`${path}?${name}=${client.key}`)

    assertError(alone, 401, 'UNAUTHORIZED', missing)
    assertError(withKey, 400, 'VALIDATION_ERROR')
    assert.ok(!JSON.stringify([alone.body, withKey.body]).includes(client.key))
  }
})

test('A key in another header or in the body is ignored', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const headers = { 'X-Api-Key': client.key, Cookie: `key=${client.key}`, 'Content-Type': 'application/json' }

  const response = await send(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(client) })

  assertError(response, 401, 'UNAUTHORIZED', missing)
})

test('A key is valid until the millisecond of its expiry', async (t) => {
  const server = await start(t)
  const { key } = await server.company('Acme')
  const client = await key({ expiresAt: '2026-06-15T12:01:00.000Z' })

  server.clock.advance(59_999)
  const before = await client.get(path)
  server.clock.advance(1)
  const after = await client.get(path)

  assert.equal(before.status, 200)
  assertError(after, 401, 'API_KEY_EXPIRED', 'This API key has expired')
  assert.equal(after.headers.get('www-authenticate'), 'Bearer')
})

const states: [code: string, message: string, state: { inactive?: true; expired?: true; revoked?: true }][] = [
  ['API_KEY_INACTIVE', 'This API key is inactive', { inactive: true }],
  ['API_KEY_EXPIRED', 'This API key has expired', { inactive: true, expired: true }],
  ['API_KEY_REVOKED', 'This API key has been revoked', { revoked: true }],
  ['API_KEY_REVOKED', 'This API key has been revoked', { expired: true, revoked: true }],
  ['API_KEY_REVOKED', 'This API key has been revoked', { inactive: true, expired: true, revoked: true }],
]

for (const [code, message, state] of states) {
  test(`A key that is ${Object.keys(state).join(' and ')} is rejected with ${code}`, async (t) => {
    const server = await start(t)
    const client = await keyIn(server, state)

    const response = await client.get(path)

    assertError(response, 401, code, message)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  })
}

async function keyIn(server: Server, state: (typeof states)[number][2]): Promise<Client> {
  const { key } = await server.company('Acme')
  const client = await key(state.expired ? { expiresAt: '2026-06-15' } : {})
  await server.store.writeAccess((tx) => {
    if (state.inactive) setKeyActive(tx, client.keyId, false)
    if (state.revoked) revokeKey(tx, client.keyId)
  })
  return client
}
