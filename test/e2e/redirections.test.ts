import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runHere } from '../support/command.ts'
import { totalOf } from '../support/imports.ts'
import { bundle, run } from '../support/program.ts'
import { desk } from './import-desk.ts'

/** Redirects everything, as a proxy does that knows the server by another address. */
async function redirecting(t: TestContext, to: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(301, { Location: `${to}${request.url}` }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('A command whose server is at another address now says which one, and sends nothing there', async (t) => {
  const { url, client, directory } = await desk(t, { 'a.csv': 'name\nNordwind\n' })
  const former = await redirecting(t, url)
  const given = ['--url', former, '--key', client.key]

  const imported = await runHere(['import', 'organizations', join(directory, 'a.csv'), ...given])
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const bridged = JSON.parse((await run(bundle, ['mcp', ...given], { input: message })).stdout)

  assert.equal(imported.code, 1)
  assert.match(
    imported.stderr,
    new RegExp(`${former} redirects to ${url}/\\S+: give the address to which it leads as --url\\.$`, 'm'),
  )
  assert.match(bridged.error.message, new RegExp(`^${former}/mcp redirects to ${url}/mcp: give the address`))
  assert.equal(await totalOf(client, 'organizations'), 0)
})
