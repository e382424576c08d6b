import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { type Server, start } from '../support/start.ts'
import { newOwner, password, visit } from '../support/visitor.ts'

/** The address that a key was last used from, after a request with this header. */
async function lastAddress(server: Server, forwarded?: string): Promise<unknown> {
  const { client } = await server.company('Acme')
  await client.get('/api-v1-me', forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded })
  await server.usage.flush()
  return (await client.get('/api-v1-me')).body.data.key.last_used_ip
}

test('Without a trusted proxy, X-Forwarded-For is ignored', async (t) => {
  assert.equal(await lastAddress(await start(t), '203.0.113.9'), '127.0.0.1')
})

for (const [forwarded, address] of [
  ['203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9, 10.1.2.3, 10.1.2.4', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '10.1.2.3'],
  ['somebody', '127.0.0.1'],
  ['203.0.113.9, somebody', '127.0.0.1'],
  ['', '127.0.0.1'],
] as const) {
  test(`Behind trusted proxies "${forwarded}" comes from ${address}`, async (t) => {
    const server = await start(t, { limits: { trustedProxies: ['loopback', '10.0.0.0/8'] } })

    assert.equal(await lastAddress(server, forwarded), address)
  })
}

for (const [sent, address] of [
  ['203.0.113.7', '203.0.113.7'],
  ['10.9.9.9, 203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 10.0.0.5', '10.0.0.5'],
  ['198.51.100.1, 127.0.0.1', '127.0.0.1'],
  ['198.51.100.1, 10.9.9.9, 10.0.0.5', '10.0.0.5'],
  ['198.51.100.1, fd00::5', 'fd00::5'],
] as const) {
  test(`Behind a private proxy that appends the client's address, "${sent}" comes from ${address}, whatever the client sent`, async (t) => {
    const server = await start(t, { limits: { trustedProxies: ['private'] } })

    assert.equal(await lastAddress(server, sent), address)
  })
}

test('Behind the nearest proxy, trusted by a word, other proxies are trusted by their addresses', async (t) => {
  const server = await start(t, { limits: { trustedProxies: ['loopback', '10.0.0.2'] } })

  assert.equal(await lastAddress(server, '198.51.100.1, 10.0.0.5, 10.0.0.2'), '10.0.0.5')
})

for (const [trusted, forwardedFor, proto, secure] of [
  [['loopback'], '203.0.113.9', 'https', true],
  [['loopback'], '203.0.113.9', ' HTTPS ', true],
  [['loopback'], '203.0.113.9', 'https, http', false],
  [['loopback'], '203.0.113.9', 'http, https', true],
  [['loopback', '10.0.0.2'], '203.0.113.9, 10.0.0.2', 'https, http', true],
  [['loopback', '10.0.0.2'], '203.0.113.9, 10.0.0.2', 'https, http, http', false],
  [['loopback', '10.0.0.2'], '203.0.113.9, 10.0.0.2', 'https', true],
  [['loopback'], '203.0.113.9', '', false],
] as const) {
  const proxies = trusted.join(' and ')
  test(`"X-Forwarded-Proto: ${proto}" for ${forwardedFor} by ${proxies} is ${secure ? '' : 'not '}HTTPS`, async (t) => {
    const server = await start(t, { limits: { trustedProxies: [...trusted] } })
    await newOwner(server)
    const headers = { 'X-Forwarded-For': forwardedFor, 'X-Forwarded-Proto': proto }

    const { cookie } = await signInFrom(server, headers)

    assert.equal(cookie.endsWith('; Secure'), secure, cookie)
  })
}

async function signInFrom({ url }: Server, headers: Record<string, string>): Promise<{ cookie: string }> {
  const response = await visit(url).post('/console/session', { email: 'ada@acme.example', password }, headers)
  assert.equal(response.status, 201)
  return { cookie: response.headers.get('set-cookie')! }
}

test('Headers of a proxy that is not trusted are ignored', async (t) => {
  const server = await start(t, { limits: { trustedProxies: ['10.0.0.0/8'] } })

  assert.equal(await lastAddress(server, '203.0.113.9'), '127.0.0.1')
})

test('The limit of requests without a key applies to the client behind the proxy', async (t) => {
  const server = await start(t, { limits: { trustedProxies: ['private'] } })
  const remaining = async (address: string) => {
    const { headers } = await fetch(`${server.url}/api-v1-me`, { headers: { 'X-Forwarded-For': address } })
    return headers.get('x-ratelimit-remaining')
  }

  assert.deepEqual([await remaining('203.0.113.9'), await remaining('203.0.113.9')], ['299', '298'])
  assert.equal(await remaining('203.0.113.10'), '299')
})

for (const invalid of ['everybody', '10.0.0.0/33', '10.0.0/8', '::/129', '127.0.0.1/8/8']) {
  test(`The trusted proxy "${invalid}" is rejected as invalid`, () => {
    assert.throws(
      () => readConfig(['trustedProxies'], {}, { KONTOR_TRUST_PROXY: invalid }),
      /KONTOR_TRUST_PROXY must be/,
    )
  })
}
