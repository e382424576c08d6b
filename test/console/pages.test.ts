import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { consoleFiles } from '../../src/packaging/console-files.ts'
import { assertError, send } from '../support/client.ts'
import { start } from '../support/start.ts'

const firstPageBytesMax = 160 * 1024

test('Every page of the console is the same document, under a policy that lets nothing inline or foreign run', async (t) => {
  const { url } = await start(t)

  for (const path of ['/', '/setup', '/test', '/test/deals/x', '/organizations', '/keys/1', '/settings/users']) {
    const response = await fetch(`${url}${path}`)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8'], path)
    const policy = response.headers.get('content-security-policy')!
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/)
    assert.match(policy, /default-src 'none'.*script-src 'self'.*style-src 'self'.*frame-ancestors 'none'/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.match(response.headers.get('permissions-policy')!, /camera=\(\), .*geolocation=\(\), microphone=\(\)/)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    assert.ok(response.headers.get('x-ratelimit-limit'))
    const html = await response.text()
    assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/)
  }
})

test('What the page loads carries its hash in its name and is kept for good', async (t) => {
  const { url } = await start(t)
  const html = await (await fetch(url)).text()

  const loaded = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)

  assert.ok(loaded.length >= 3)
  for (const path of loaded) {
    const response = await fetch(`${url}${path}`)
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    await response.arrayBuffer()
  }
  assertError(await send(`${url}/assets/nothing.js`), 404, 'NOT_FOUND')
  assertError(await send(url, { method: 'POST' }), 405, 'INVALID_REQUEST')
})

test('A client that does not unpack gets it unpacked', async (t) => {
  const { url } = await start(t)

  const packed = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })

  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(await plain.text(), await packed.text())
})

test(`The first page has at most ${firstPageBytesMax / 1024} KiB compressed, with all that it loads at once`, async () => {
  const files = await consoleFiles()
  const first = new Set(['/'])
  for (const path of first) {
    const text = gunzipSync(files.get(path)!.gzip).toString()
    const loads = path === '/' ? /(?:src|href)="(\/assets\/[^"]+)"/g : /(?:from|^import)"\.(\/[^"]+)"/g
    for (const [, name] of text.matchAll(loads)) first.add(path === '/' ? name! : `/assets${name}`)
  }

  const bytes = [...first].reduce((sum, path) => sum + files.get(path)!.gzip.length, 0)

  assert.ok(first.size >= 4, [...first].join())
  assert.ok(bytes > 20_000 && bytes <= firstPageBytesMax, `${bytes} bytes`)
})
