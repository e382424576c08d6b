import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { start } from '../support/start.ts'

const skip = withoutBrowser

/** Serves an empty page of another origin. Returns its URL. */
async function serveElsewhere(t: TestContext): Promise<string> {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html')
    res.end('<!doctype html><title>Elsewhere</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('In a browser, pages of a configured origin can call the API, and pages of other origins can neither call nor embed anything', {
  skip,
}, async (t) => {
  const [own, other] = [await serveElsewhere(t), await serveElsewhere(t)]
  const server = await start(t, { limits: { corsOrigins: [own] } })
  const { client } = await server.company('Acme')
  const asked = { url: server.url, authorization: `Bearer ${client.key}` }
  const call = async (from: string) => {
    const { page } = await openScreen(t, from)
    await openPage(page, '/')
    return page.evaluate(async ({ url, authorization }) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'Nordwind' })
      const failed = () => 'failed'
      return Promise.all([
        fetch(`${url}/api-v1-organizations`, { headers }).then(({ status }) => status, failed),
        fetch(`${url}/api-v1-organizations`, { method: 'POST', headers, body }).then(({ status }) => status, failed),
        fetch(`${url}/docs/page.css`, { mode: 'no-cors' }).then(({ type }) => type, failed),
      ])
    }, asked)
  }

  assert.deepEqual(await call(own), [200, 201, 'failed'])
  assert.deepEqual(await call(other), ['failed', 'failed', 'failed'])
})
