import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Joined, join } from '../../src/cluster/join.ts'
import { schema } from '../../src/commands/open-store.ts'
import { newestOf } from '../../src/store/migrate.ts'
import { until } from '../support/wait.ts'
import { startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

test('A server that follows ends when the leader has upgraded the schema, and waits until it is upgraded, too', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const follower = await startNode(t, etcd.url)

  await leader.store.writeAccess((tx) => tx.run('PRAGMA user_version = 999'))

  assert.equal(await follower.exited, 1)
  const back = await startNode(t, etcd.url, { directory: follower.directory, wait: false })
  await until('it waits', () => back.lines.some((line) => line.includes('waiting for a leader of the same version')))
  await assert.rejects(fetch(`${back.url}/healthz`))
})

test('An upgraded server takes the lead although etcd did not answer when it tried first', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const leader = await startOwnNode(t, etcd.url)
  const { directory, url, stop } = await startOwnNode(t, etcd.url)
  await stop()
  await leader.stop()
  const isOfHead = (key = '') => Buffer.from(key, 'base64').toString() === 'kontor/head'
  let lost = 0
  etcd.fault = (_path, writes, { success = [] }) => {
    if (!writes || lost > 0 || !success.some(({ request_put }) => isOfHead(request_put?.key))) return undefined
    lost++
    return 'timed out before'
  }

  let joined: Joined | undefined
  const settings = { log: etcd.url, advertise: url, logLeaseSeconds: 60 }
  void join({ directory, settings, schemaVersion: newestOf(schema.steps) + 1, version: 'next' }).then((found) => {
    joined = found
  })
  t.after(async () => {
    await joined?.lease.close()
    joined?.release()
  })

  await until('it leads', () => joined?.lead)
  assert.equal(lost, 1)
})
