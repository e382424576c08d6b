import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { until } from '../support/wait.ts'

/** What the process needs with its worker thread, plus a few. */
const descriptorsMax = 64
/** Enough for a filtered list to run on a separate thread. */
const records = 2_100

test('Without file descriptors for a thread, long lists return 503 until descriptors are available; the process keeps running', async (t) => {
  const data = temporaryDirectory(t)
  const limited = ['sh', '-c', `ulimit -n ${descriptorsMax}; exec "$0" "$@"`, ...bundle] as const
  const server = await launch(t, limited, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'])
  const client = await firstClient(data, server.first.url!)
  await importOrganizations(client)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 }) // reuses the first connection
  t.after(() => agent.destroy())
  const list = () => ask(agent, `${server.first.url}/api-v1-organizations?city=Kiel&status=lead`, client.key)
  const simple = () => ask(agent, `${server.first.url}/api-v1-organizations?limit=1`, client.key)
  assert.equal((await simple()).status, 200)

  const held = await exhaust(server.first.url!)
  assert.equal((await list()).status, 503)
  assert.equal((await simple()).status, 200)

  for (const socket of held) socket.destroy()
  const response = await until('the list is served', list, { is: ({ status }) => status === 200 })
  assert.equal(response.total, records)
  assert.equal(server.child.exitCode, null)
})

function ask(agent: Agent, url: string, key: string): Promise<{ status: number; total: number | undefined }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { Authorization: `Bearer ${key}` } }, async (response) => {
      const body = await json(response)
      resolve({ status: response.statusCode!, total: (body as { pagination?: { total: number } }).pagination?.total })
    })
    request.on('error', reject)
  })
}

async function importOrganizations(client: Client): Promise<void> {
  const record = { name: 'Acme', city: 'Kiel' }
  for (let left = records; left > 0; left -= 1_000) {
    await client.post('/api-v1-bulk/organizations', { records: Array(Math.min(left, 1_000)).fill(record) })
  }
  const total = async () => (await client.get('/api-v1-organizations?limit=1')).body.pagination.total
  await until('all are imported', total, { is: (count) => count >= records, limitMs: 120_000 })
}

/** Opens connections until the server accepts no more. */
async function exhaust(url: string): Promise<Socket[]> {
  const { hostname: host, port } = new URL(url)
  const held: Socket[] = []
  for (;;) {
    const socket = connect({ host, port: Number(port) })
    socket.on('error', () => {})
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const isServed = await new Promise((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false))
    })
    if (!isServed) return held
    held.push(socket)
  }
}
