import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { openRaw } from '../support/raw.ts'
import { until } from '../support/wait.ts'

const path = '/api-v1-organizations'
const clients = 16

/** Creates records one after the other until a response closes the connection. Returns how many were acknowledged. */
async function createUntilClosed(client: Client, onCreated: () => void): Promise<number> {
  for (let created = 1; ; created++) {
    const { status, headers } = await client.post(path, { name: 'Acme' })
    assert.equal(status, 201)
    onCreated()
    if (headers.get('connection') === 'close') return created
  }
}

test('A server that is stopped under load completes the requests in progress and keeps what it acknowledged', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off']
  const { first, stop } = await launch(t, bundle, serve)
  const client = await firstClient(data, first.url!)
  const busy = Promise.withResolvers<void>()
  let created = 0
  const onCreated = () => {
    if (++created === 200) busy.resolve()
  }
  const creating = Promise.all(Array.from({ length: clients }, () => createUntilClosed(client, onCreated)))
  await Promise.race([busy.promise, creating])

  assert.equal(await stop('SIGTERM'), 0)
  const acknowledged = (await creating).reduce((sum, each) => sum + each, 0)

  const again = await launch(t, bundle, serve)
  const { body } = await clientFor(again.first.url!, { id: client.keyId, key: client.key }).get(path)
  assert.ok(acknowledged >= 200)
  assert.equal(body.pagination.total, acknowledged)
})

test('A second signal ends the server immediately', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const { first, child, stop } = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const { key } = await firstClient(data, first.url!)
  const connection = openRaw(first.url!)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
  connection.write(`${head}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`)
  await connection.until('100 Continue')
  child.kill('SIGTERM')
  await until('the server drains', async () => (await fetch(`${first.url}/readyz`)).status, {
    is: (status) => status === 503,
  })

  assert.equal(await stop('SIGINT'), 130)
})

test('A server whose standard output is not read keeps serving, and stops on SIGTERM', async (t) => {
  const data = temporaryDirectory(t)
  const [command, ...args] = [...bundle, 'serve', '--data', data, '--port', '0'] as [string, ...string[]]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  const [chunk] = await once(child.stdout, 'data')
  child.stdout.pause()
  const { url } = JSON.parse(String(chunk).split('\n')[0]!)
  const linesFill = 2_000 // about 250 bytes each: more than the pipe and its reader buffer

  for (let sent = 0; sent < linesFill; sent += 50) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/api-v1-contacts`)))
    assert.ok(responses.every(({ status }) => status === 401 || status === 429))
    await Promise.all(responses.map((response) => response.arrayBuffer()))
  }
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')

  assert.equal(code, 0)
})
