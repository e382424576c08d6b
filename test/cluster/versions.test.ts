import assert from 'node:assert/strict'
import { test } from 'node:test'
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
