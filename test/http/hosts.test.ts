import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResponses, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'

for (const path of ['/', '/console/session', '/api-v1-organizations', '/openapi.json', '/healthz', '/nowhere']) {
  test(`A request for ${path} with two Host headers is rejected, whatever their values`, async (t) => {
    const { url } = await start(t)
    const { host } = new URL(url)
    for (const hosts of [`Host: ${host}\r\nHost: evil.example`, `host: ${host}\r\nHOST: ${host}`]) {
      const [response] = readResponses(
        await sendRaw(url, `GET ${path} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`),
      )

      assert.equal(response!.status, 400)
      const { code, message } = JSON.parse(response!.body).error
      assert.deepEqual([code, message], ['INVALID_REQUEST', 'The request has more than one Host header'])
      assert.ok(response!.headers.get('x-ratelimit-limit'))
    }
  })
}

test('Rejected requests with two Host headers count for their address', async (t) => {
  const { url } = await start(t, { rateLimits: 'plan' })
  const twice = 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n'
  const text = `${`${twice}\r\n`.repeat(300)}${twice}Connection: close\r\n\r\n`

  const responses = readResponses(await sendRaw(url, text))

  assert.equal(responses.at(0)!.status, 400)
  assert.equal(responses.at(-1)!.status, 429)
})
