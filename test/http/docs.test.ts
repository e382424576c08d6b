import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import zlib, { gunzipSync } from 'node:zlib'
import { version } from '../../src/packaging/embedded.ts'
import { send } from '../support/client.ts'
import { assertDescribed, document } from '../support/described.ts'
import { readResponses, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'

const pages = {
  '/openapi.json': 'application/json',
  '/llms.txt': 'text/markdown',
  '/docs': 'text/html',
  '/docs/page.css': 'text/css',
  '/docs/page.js': 'text/javascript',
  '/docs/ui.css': 'text/css',
  '/docs/ui.js': 'text/javascript',
}

test('The documentation of the API needs no key, and pages of other origins cannot embed it', async (t) => {
  const { url } = await start(t)
  for (const [path, type] of Object.entries(pages)) {
    const response = await fetch(url + path)

    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const policy = response.headers.get('content-security-policy')!
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    if (path in document.paths) {
      const { status, headers } = response
      const body = type === 'application/json' ? await response.json() : await response.text()
      assertDescribed({ method: 'GET', url: url + path, status, headers, body })
    }
  }
})

test('A page is decompressed once, however many clients without compression ask for it', async (t) => {
  const { url } = await start(t)
  const { mock } = t.mock.method(zlib, 'gunzipSync')
  syncBuiltinESMExports()
  t.after(() => {
    mock.restore()
    syncBuiltinESMExports()
  })

  const bodies = [1, 2, 3].map(() => getBytes(`${url}/openapi.json`, 'identity'))
  const tags = (await Promise.all(bodies)).map((response) => response.resume().headers.etag)

  assert.deepEqual([mock.callCount(), new Set(tags).size], [1, 1])
})

test('/openapi.json is the document of this version', async (t) => {
  const { url } = await start(t)

  const { body } = await send(`${url}/openapi.json`)

  assert.deepEqual(body, JSON.parse(JSON.stringify({ ...document, info: { ...document.info, version } })))
})

test('A page is compressed for clients that accept it, and has the same content without compression', async (t) => {
  const { url } = await start(t)
  const source = readFileSync(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')))
  for (const [encoding, packed] of [
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.5', true],
    ['gzip;q=0', false],
    ['identity', false],
  ] as const) {
    const response = await getBytes(`${url}/docs/ui.js`, encoding)
    const bytes = await buffer(response)
    assert.equal(response.headers['content-encoding'], packed ? 'gzip' : undefined, encoding)
    assert.equal(response.headers.vary, 'Accept-Encoding')
    assert.ok(source.equals(packed ? gunzipSync(bytes) : bytes), encoding)
  }
})

test('A page that has not changed is 304', async (t) => {
  const { url } = await start(t)
  for (const path of Object.keys(pages)) {
    const first = await fetch(url + path)
    await first.text()
    const second = await fetch(url + path, { headers: { 'If-None-Match': first.headers.get('etag')! } })

    assert.equal(first.headers.get('cache-control'), 'no-cache')
    assert.equal(second.status, 304, path)
    assert.equal(await second.text(), '')
  }
})

test('HEAD returns the headers of a page, other methods are not allowed', async (t) => {
  const { url } = await start(t)

  const head = await fetch(`${url}/docs`, { method: 'HEAD' })
  const post = await send(`${url}/docs`, { method: 'POST' })

  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.equal(post.status, 405)
  assert.equal(post.headers.get('allow'), 'HEAD, GET')
})

test('Only the page and its files are served below /docs', async (t) => {
  const { url } = await start(t)
  for (const path of [
    '/docs/',
    '/docs/../docs',
    '/docs/..%2fpackage.json',
    '/docs/constructor',
    '/docs/ui.js/',
    '/DOCS',
  ]) {
    const responses = readResponses(
      await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: kontor\r\nConnection: close\r\n\r\n`),
    )

    assert.equal(responses[0]!.status, 404, path)
  }
})

test('Requests for pages are limited per address', async (t) => {
  const { url } = await start(t, { rateLimits: 'plan' })
  for (let request = 0; request < 300; request++) await send(`${url}/docs/none`)

  const { status, headers } = await send(`${url}/openapi.json`)

  assert.equal(status, 429)
  assert.ok(headers.get('retry-after'))
})

/** Requests a page without the compression that `fetch` requests and undoes by itself. */
function getBytes(url: string, encoding: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': encoding } }, resolve).on('error', reject)
  })
}
