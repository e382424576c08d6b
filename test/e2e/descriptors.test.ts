import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, firstClient, launch } from '../support/program.ts'

/** What the process needs with its worker thread, and a few more. */
const descriptorsMax = 64
/** Enough that a filtered list needs a thread of its own. */
const records = 2_100

test('Without file descriptors for a thread, long lists are 503, the process lives, and all works again later', async (t) => {
  const data = temporaryDirectory(t)
  const limited = ['sh', '-c', `ulimit -n ${descriptorsMax}; exec "$0" "$@"`, ...bundle] as const
  const server = await launch(t, limited, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'])
  const client = await firstClient(bundle, data, server.first.url!)
  await importOrganizations(client)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 }) // a connection that it has already
  t.after(() => agent.destroy())
  const list = () => ask(agent, `${server.first.url}/api-v1-organizations?city=Kiel&status=lead`, client.key)
  const simple = () => ask(agent, `${server.first.url}/api-v1-organizations?limit=1`, client.key)
  assert.equal((await simple()).status, 200)

  const held = await exhaust(server.first.url!)
  assert.equal((await list()).status, 503)
  assert.equal((await simple()).status, 200)

  for (const socket of held) socket.destroy()
  let answer = await list()
  while (answer.status !== 200) answer = await list()
  assert.equal(answer.total, records)
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
  while ((await client.get('/api-v1-organizations?limit=1')).body.pagination.total < records);
}

/** Opens connections until the server takes no more. */
async function exhaust(url: string): Promise<Socket[]> {
  const { hostname: host, port } = new URL(url)
  const held: Socket[] = []
  for (;;) {
    const socket = connect({ host, port: Number(port) })
    socket.on('error', () => {})
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const answered = await new Promise((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false))
    })
    if (!answered) return held
    held.push(socket)
  }
}
