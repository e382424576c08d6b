import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { caughtUp, keyAt, startNode } from '../cluster/cluster.ts'
import { startFakeEtcd } from '../cluster/fake-etcd.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { findInFiles, untilErased } from './bytes.ts'
import { leaveInGap, left, pagesOf } from './gap.ts'

async function eraseOne(client: Client): Promise<void> {
  const { id } = (await answered(() => client.post('/api-v1-contacts', { first_name: 'Eve' }))).body.data
  await answered(() => client.delete(`/api-v1-contacts/${id}`))
  await answered(() => client.delete(`/api-v1-trash/${id}`))
  assert.deepEqual((await answered(() => client.get('/api-v1-trash'))).body.data, [])
}

/** Asks again while the log of several servers is too slow to confirm what is asked for. */
function answered(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return until('the server answers', ask, { is: ({ status }) => status !== 503 })
}

test('An erasure also removes what SQLite has left in gaps of pages', async (t) => {
  const before = await start(t)
  await before.stop()
  leaveInGap(before.path)
  const server = await start(t, { directory: before.directory, work: 'thread' })
  const client = await server.client()

  await eraseOne(client)

  await untilErased(server.path, left)
})

test('A server that starts removes what an erasure before left in gaps of pages', async (t) => {
  const before = await start(t)
  await eraseOne(await before.client())
  await before.stop()
  leaveInGap(before.path)

  const server = await start(t, { directory: before.directory, work: 'thread' })

  await untilErased(server.path, left)
})

test('With a log, each server removes what is left in gaps of its own file, and sends nothing to the others for that', async (t) => {
  const before = await start(t)
  await before.stop()
  const page = leaveInGap(before.path)
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url, { directory: before.directory })
  const client = await keyAt(leader)
  const follower = await startNode(t, etcd.url)
  const paths = [leader, follower].map((node) => join(node.directory, 'kontor.db'))
  for (const path of paths) assert.equal(findInFiles(path, left).length, 1)

  await eraseOne(client)

  for (const path of paths) await untilErased(path, left)
  const made = await answered(() => client.post('/api-v1-contacts', { first_name: 'Ada' }))
  const there = await caughtUp(follower, client, made)
  const [followed, led] = await Promise.all([there, client].map((each) => answered(() => each.get('/api-v1-contacts'))))
  assert.deepEqual(followed!.body, led!.body)
  const parts = [...etcd.keys].filter(([key]) => key.includes('/parts/')).map(([, { value }]) => value)
  assert.equal((await pagesOf(parts)).has(page), false)
  for (const node of [follower, leader]) {
    await node.stop()
    const { code, stdout } = await run(bundle, ['check', '--data', node.directory])
    assert.equal(code, 0, stdout)
  }
})
