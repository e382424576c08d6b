import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { routes } from '../../src/features/index.ts'
import { publicRoutes } from '../../src/http/openapi/public-routes.ts'
import { type Server, start } from '../support/start.ts'
import { newOwner, password, visit } from '../support/visitor.ts'

const read = (text: string) => readConfig(['publicUrl'], { publicUrl: text }, {}).publicUrl

function startAt(t: TestContext, url: string): Promise<Server> {
  return start(t, { limits: { publicUrl: read(url) } })
}

test('The public URL is an http or https URL; a slash at its end is ignored', () => {
  assert.equal(read(''), undefined)
  assert.deepEqual(read('https://crm.example.com/'), { href: 'https://crm.example.com', path: '' })
  assert.deepEqual(read(' HTTP://Example.com:8080/a/b-c/ '), { href: 'http://example.com:8080/a/b-c', path: '/a/b-c' })
})

for (const text of [
  ...['example.com', '/crm', 'ftp://example.com', 'https://', 'https://a b.example', 'https://example.com:99999'],
  ...['https://ada:secret@example.com', 'https://example.com/crm?a=1', 'https://example.com/crm#a'],
  ...['https://example.com//crm', 'https://example.com/%63rm', 'https://example.com/"crm', 'https://example.com\\crm'],
  ...['https://exa\u200bmple.com', 'https:example.com', 'https:///example.com', 'https://exa\tmple.com'],
  `https://example.com/${'x'.repeat(500)}`,
]) {
  test(`"${text.slice(0, 40)}" is not a public URL`, () => {
    assert.throws(() => read(text), /^ConfigError: --public-url must /)
  })
}

test('A public URL cannot have the path of an endpoint', () => {
  const paths = [
    ...routes.map(({ path }) => path),
    ...Object.keys(publicRoutes),
    '/console/session',
    '/assets/a.js',
    '/calendar/x',
  ]
  const firsts = [...new Set(paths.map((path) => `/${path.split('/')[1]}`))]

  for (const path of firsts) assert.throws(() => read(`https://example.com${path}`), /must not have a path/, path)
  assert.equal(read('https://example.com/docs-of-acme')?.path, '/docs-of-acme')
})

for (const prefix of ['', '/crm']) {
  test(`Below a public URL with a path, requests to ${prefix || '/'} are served, and their links have the path`, async (t) => {
    const server = await startAt(t, 'https://example.com/crm')
    const { client } = await server.company('Acme')
    const headers = { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' }
    const ask = (path: string, init: RequestInit = {}) => fetch(`${server.url}${prefix}${path}`, { ...init, headers })
    const { cursor } = (await (await server.company('Other')).client.get('/api-v1-changes')).body

    const created = await ask('/api-v1-organizations', { method: 'POST', body: '{"name":"Nordwind"}' })
    const lost = await ask(`/api-v1-changes?after=${cursor}`)
    const document = (await (await ask('/openapi.json')).json()) as { servers: object[] }

    assert.equal(created.status, 201)
    assert.match(created.headers.get('location')!, /^\/crm\/api-v1-organizations\/[\da-f-]{36}$/)
    assert.equal((await ask(created.headers.get('location')!.slice('/crm'.length))).status, 200)
    assert.deepEqual([lost.status, lost.headers.get('link')], [410, '</crm/api-v1-snapshot>; rel="snapshot"'])
    assert.deepEqual(document.servers, [{ url: 'https://example.com/crm' }])
    assert.equal((await ask('/healthz')).status, 200)
    assert.match(await (await ask('/docs')).text(), / src="docs\/ui\.js"/)
  })
}

test('A repeated request returns its Location below the public URL', async (t) => {
  const { client } = await (await startAt(t, 'https://example.com/crm')).company('Acme')
  const create = () => client.post('/api-v1-organizations', { name: 'Nordwind' }, { 'Idempotency-Key': 'one' })

  const [first, second] = [await create(), await create()]

  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.match(second.headers.get('location')!, /^\/crm\/api-v1-/)
  assert.equal(second.headers.get('location'), first.headers.get('location'))
})

test('A path that only begins like the public URL’s is another one', async (t) => {
  const server = await startAt(t, 'https://example.com/crm')

  assert.equal((await fetch(`${server.url}/crmx/healthz`)).status, 404)
  assert.equal((await fetch(`${server.url}/crm/crm/healthz`)).status, 404)
})

test('Without a public URL, no path is removed', async (t) => {
  const server = await start(t)

  assert.equal((await fetch(`${server.url}/crm/healthz`)).status, 404)
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { servers: object[] }
  assert.deepEqual(document.servers, [{ url: '/' }])
})

for (const [url, origin, expected] of [
  ['https://example.com/crm', 'https://example.com', /^__Secure-kontor_session=[\w-]{43}; Path=\/crm; .*; Secure$/],
  ['http://example.com/crm', 'http://example.com', /^kontor_session=[\w-]{43}; Path=\/crm; HttpOnly; /],
  ['https://example.com', 'https://example.com', /^__Host-kontor_session=[\w-]{43}; Path=\/; .*; Secure$/],
] as const) {
  test(`The session cookie of ${url} is limited to it`, async (t) => {
    const server = await startAt(t, url)
    await newOwner(server)
    const visitor = visit(server.url)
    const from = { Origin: origin, Host: new URL(url).host, 'Sec-Fetch-Site': 'same-origin' }
    const credentials = { email: 'ada@acme.example', password }

    const { status, headers } = await visitor.post('/console/session', credentials, from)

    assert.equal(status, 201)
    assert.match(headers.get('set-cookie')!, expected)
    assert.equal((await visitor.get('/console/session', from)).status, 200)
    const out = await visitor.delete('/console/session', from)
    assert.match(out.headers.get('set-cookie')!, new RegExp(`; Path=${new URL(url).pathname}; .*Max-Age=0`))
  })
}

test('The console’s page loads its files from below the public URL', async (t) => {
  const server = await startAt(t, 'https://example.com/crm')

  const page = await (await fetch(`${server.url}/deals`)).text()

  const paths = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  assert.ok(paths.length > 3)
  for (const path of paths) {
    assert.ok(path.startsWith('/crm/assets/'), path)
    assert.equal((await fetch(`${server.url}${path}`)).status, 200)
    assert.equal((await fetch(`${server.url}${path.slice('/crm'.length)}`)).status, 200)
  }
})
