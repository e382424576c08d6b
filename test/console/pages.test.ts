import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readConfig } from '../../src/config.ts'
import { consoleFiles } from '../../src/packaging/console-files.ts'
import { assertError, send } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'

const firstPageBytesMax = 160 * 1024
/** The paths of what a document loads. */
const assetPaths = /(?:src|href)="(\/assets\/[^"]+)"/g

test('Every page of the console is the same document, with a policy that blocks inline and third-party scripts', async (t) => {
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

test('An unknown path is a page with status 404 for who accepts HTML, and JSON for programs, for other methods and below /api-v1-', async (t) => {
  const server = await start(t)
  const { cookie } = await newOwner(server)
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.url + path, {
      method,
      headers: { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', ...headers },
    })

  for (const path of ['/organisations', '/console/nothing', '/assets/nothing.js']) {
    for (const headers of [undefined, { Cookie: cookie! }]) {
      const page = await ask(path, headers)
      assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
      assert.match(await page.text(), headers ? /"full_name":"Ada Weber"/ : /<script/)
      assert.equal((await ask(path, { ...headers, 'If-None-Match': '*' })).status, 404)
    }
    const program = await ask(path, { Accept: '*/*' })
    assert.deepEqual([program.status, program.headers.get('content-type')], [404, 'application/json; charset=utf-8'])
    assert.equal((await ask(path, {}, 'POST')).headers.get('content-type'), 'application/json; charset=utf-8')
  }
  assert.equal((await ask('/api-v1-nothing')).headers.get('content-type'), 'application/json; charset=utf-8')
})

test('Each page that the router in the browser knows can be loaded by its address', async (t) => {
  const { url } = await start(t)
  const router = readFileSync('src/console/web/pages/routes.ts', 'utf8')
  const paths = [...router.matchAll(/path: '(\/[^/':]*)/g)].map(([, path]) => path!)

  assert.ok(paths.length > 10, paths.join())
  for (const path of paths) assert.equal((await fetch(`${url}${path}`)).status, 200, path)
})

test('The document of each list loads the script of lists at once', async (t) => {
  const server = await start(t)
  const { cookie } = await newOwner(server)
  const scriptsOf = async (path: string) => {
    const html = await (await fetch(`${server.url}${path}`, { headers: { Cookie: cookie! } })).text()
    return [...html.matchAll(assetPaths)].map(([, script]) => script)
  }

  const scripts = await scriptsOf('/organizations')
  for (const page of ['/products', '/exchange-rates']) assert.deepEqual(await scriptsOf(page), scripts, page)
  assert.notDeepEqual(await scriptsOf('/keys'), scripts)
})

/** What browsers load only to install the console, or to show its name and icon. */
const isForInstallation = (path: string) => /\.(?:png|svg|webmanifest)$/.test(path)

test('Scripts and styles have their hash in their name and are cached permanently, icons and the manifest are not', async (t) => {
  const { url } = await start(t)
  const html = await (await fetch(url)).text()

  const loaded = [...html.matchAll(assetPaths)].map(([, path]) => path!)

  assert.ok(loaded.length >= 3)
  for (const path of loaded) {
    const response = await fetch(`${url}${path}`)
    assert.equal(response.status, 200, path)
    const expected = isForInstallation(path) ? 'no-cache' : 'public, max-age=31536000, immutable'
    assert.equal(response.headers.get('cache-control'), expected, path)
    await response.arrayBuffer()
  }
  assertError(await send(`${url}/assets/nothing.js`), 404, 'NOT_FOUND')
  assertError(await send(url, { method: 'POST' }), 405, 'INVALID_REQUEST')
})

test('A client that does not accept gzip gets the page uncompressed', async (t) => {
  const { url } = await start(t)

  const packed = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })

  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(await plain.text(), await packed.text())
})

test(`The first page has at most ${firstPageBytesMax / 1024} KiB compressed, including everything it loads at once`, async () => {
  const files = await consoleFiles()
  const first = new Set(['/'])
  for (const path of first) {
    const text = gunzipSync(files.get(path)!.gzip).toString()
    const loads = path === '/' ? assetPaths : /(?:from|^import)"\.(\/[^"]+)"/g
    for (const [, name] of text.matchAll(loads)) {
      if (!isForInstallation(name!)) first.add(path === '/' ? name! : `/assets${name}`)
    }
  }

  const bytes = [...first].reduce((sum, path) => sum + files.get(path)!.gzip.length, 0)

  assert.ok(first.size >= 4, [...first].join())
  assert.ok(bytes > 20_000 && bytes <= firstPageBytesMax, `${bytes} bytes`)
})

/** The data in a page; undefined if it has none. */
function initialDataIn(html: string) {
  const [, block] = /<script id="initial-data" type="application\/json">(.*?)<\/script>/s.exec(html) ?? []
  return block === undefined ? undefined : JSON.parse(block)
}

test('The page of a signed-in user contains the session and the description, and is not cached', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')

  for (const visitor of [owner, member]) {
    const response = await fetch(`${server.url}/deals`, { headers: { Cookie: visitor.cookie! } })
    const given = initialDataIn(await response.text())

    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.match(response.headers.get('content-security-policy')!, /script-src 'self';/)
    assert.deepEqual(given.session, (await visitor.get('/console/session')).body.data)
    assert.deepEqual(given.description, (await visitor.get('/console/description')).body.data)
  }
})

test('A page contains no data without a session, or if another site caused the request', async (t) => {
  const server = await start(t)
  const { cookie, ...owner } = await newOwner(server)
  const open = async (headers: Record<string, string>, path = '/') =>
    initialDataIn(await (await fetch(`${server.url}${path}`, { headers })).text())
  const Cookie = cookie!

  assert.equal(await open({}), undefined)
  assert.equal(await open({ Cookie: `kontor_session=${'x'.repeat(43)}` }), undefined)
  assert.equal(await open({ Cookie, 'Sec-Fetch-Site': 'cross-site' }), undefined)
  assert.equal(await open({ Cookie, 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'document' }), undefined)
  assert.equal(await open({ Cookie, 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'iframe' }), undefined)
  assert.equal(await open({ Cookie, Origin: 'https://elsewhere.example' }), undefined)
  assert.equal(await open({ Cookie }, '/setup'), undefined)
  assert.equal(await open({ Cookie }, '/invitation'), undefined)
  const visit = { Cookie, 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }
  assert.equal((await open(visit)).session.user.full_name, 'Ada Weber')
  await owner.delete('/console/sessions', { Cookie })
  assert.equal(await open(visit), undefined)
})

test('The page of one company contains no data of another', async (t) => {
  const server = await start(t)
  const first = await newOwner(server)
  await first.patch('/console/company', { name: 'Nordwind' })
  const second = await newOwner(server)

  const page = async ({ cookie }: { cookie: string | undefined }) =>
    (await fetch(server.url, { headers: { Cookie: cookie! } })).text()

  assert.match(await page(first), /Nordwind/)
  assert.doesNotMatch(await page(second), /Nordwind/)
  assert.equal(initialDataIn(await page(second)).session.company.name, 'Acme')
})

test('A company name with a closing script tag stays data in the page', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const name = '</script><script>alert(1)</script><!-- $&'
  await owner.patch('/console/company', { name })

  const html = await (await fetch(server.url, { headers: { Cookie: owner.cookie! } })).text()

  assert.equal(initialDataIn(html).session.company.name, name)
  assert.doesNotMatch(html, /<script>/)
})

for (const base of ['', '/crm']) {
  test(`The console can be installed under a public URL ${base ? 'with a path' : 'without a path'}`, async (t) => {
    const { publicUrl } = readConfig(['publicUrl'], { publicUrl: `https://crm.example.com${base}` }, {})
    const { url } = await start(t, { limits: { publicUrl } })
    const page = await fetch(url)
    const html = await page.text()
    const linkOf = (rel: string) => new RegExp(`<link rel="${rel}" href="([^"]+)"`).exec(html)![1]!
    const load = (path: string) => fetch(url + path.slice(base.length))

    const at = linkOf('manifest')
    const response = await load(at)
    const manifest = (await response.json()) as Record<string, string> & { icons: Record<string, string>[] }

    assert.match(page.headers.get('content-security-policy')!, /manifest-src 'self'/)
    assert.equal(response.headers.get('content-type'), 'application/manifest+json')
    const resolved = (path: string) => new URL(path, `https://crm.example.com${at}`)
    assert.equal(resolved(manifest.start_url!).pathname, `${base}/`)
    assert.equal(resolved(manifest.scope!).pathname, `${base}/`)
    assert.deepEqual([manifest.name, manifest.display], ['Kontor', 'standalone'])
    assert.match(manifest.theme_color!, /^#[0-9a-f]{6}$/)
    for (const [sizes, purpose] of [['192x192'], ['512x512'], ['512x512', 'maskable']]) {
      const icon = manifest.icons.find((each) => each.sizes === sizes && each.purpose === purpose)!
      assert.equal(await sizeOf(await load(resolved(icon.src!).pathname)), sizes)
    }
    assert.equal(await sizeOf(await load(linkOf('apple-touch-icon'))), '180x180')
  })
}

/** The size in the header of a PNG. */
async function sizeOf(response: Response): Promise<string> {
  assert.equal(response.headers.get('content-type'), 'image/png')
  const view = new DataView(await response.arrayBuffer())
  assert.equal(view.getUint32(0), 0x89504e47)
  return `${view.getUint32(16)}x${view.getUint32(20)}`
}
