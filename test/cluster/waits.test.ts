import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Layer } from '../../src/http/exchange.ts'
import { type FakeEtcd, startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

/** Counts how often a node leaves the lead, or takes it, from now on. */
function watchLead(etcd: FakeEtcd): { left: number; taken: number } {
  const counts = { left: 0, taken: 0 }
  const isOfLead = (key = '') => Buffer.from(key, 'base64').toString() === 'kontor/leader'
  etcd.fault = (_, writes, { success = [] }) => {
    if (writes && success.some(({ request_delete_range }) => isOfLead(request_delete_range?.key))) counts.left++
    if (writes && success.some(({ request_put }) => isOfLead(request_put?.key))) counts.taken++
    return undefined
  }
  return counts
}

test('A server that waits for a copy of the database, which the leader does not give, leaves the lead to others once', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  let refused = 0
  const refuse: Layer = async (ctx, next) => {
    if (ctx.path !== '/cluster/base' || refused >= 4) return next()
    refused++
    ctx.res.writeHead(503).end()
  }
  await startOwnNode(t, etcd.url, { firstLayers: [refuse] })
  const counts = watchLead(etcd)

  const { member } = await startOwnNode(t, etcd.url)

  assert.deepEqual([refused, member.isLeader], [4, false])
  assert.ok(counts.left <= 1, `it has left the lead ${counts.left} times`)
})
