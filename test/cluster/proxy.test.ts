import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientFor } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'
import { keyAt, leaderOf, type Node, startThree } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { startHaproxy, withoutHaproxy } from './haproxy.ts'

const documented = readFileSync(new URL('../../deploy/cluster/haproxy.cfg', import.meta.url), 'utf8')
const path = '/api-v1-organizations'

/** The documented configuration, with the addresses of the test. */
function configure(nodes: readonly Node[], port: number): string {
  const own = nodes.reduce(
    (text, { url }, index) => text.replaceAll(`10.0.0.1${index + 1}:8080`, new URL(url).host),
    documented,
  )
  return own.replace('bind :8080', `bind 127.0.0.1:${port}`)
}

test('Behind the documented proxy, reads and writes reach the right servers, also after the leader was killed', {
  skip: withoutHaproxy,
}, async (t) => {
  const etcd = await startFakeEtcd(t)
  const nodes = await startThree(t, etcd.url)
  const key = await keyAt(nodes[0])
  const port = await freePort()
  startHaproxy(t, configure(nodes, port))
  const client = clientFor(`http://127.0.0.1:${port}`, { id: key.keyId, key: key.key })
  const write = async (name: string) => {
    let written: Awaited<ReturnType<typeof client.post>> | undefined
    await until('a write is accepted', async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      }).catch(() => undefined)
      if (response?.status !== 201) return false
      written = { status: 201, headers: response.headers, body: await response.json() }
      return true
    })
    return written!
  }
  const readBack = async ({ headers, body }: Awaited<ReturnType<typeof write>>) => {
    const minPosition = { 'Kontor-Min-Position': headers.get('kontor-position')! }
    for (let n = 0; n < 12; n++) {
      const read = async () => (await client.get(`${path}/${body.data.id}`, minPosition)).status
      assert.equal(await until('the server has caught up', read, { is: (status) => status !== 503 }), 200)
    }
  }

  const before = await write('Before')
  await readBack(before)
  await nodes[0].stop('SIGKILL')
  await leaderOf(nodes.slice(1))
  const after = await write('Afterwards')
  await until('a server is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status, {
    is: (status) => status === 200,
  })

  await readBack(after)
  await readBack(before)
})
