import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Layer } from '../../src/http/exchange.ts'
import { until } from '../support/wait.ts'
import { keyAt, leaderOf, startNode } from './cluster.ts'
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

test('A server that cannot read what the log has more than its database tries again after a second, and keeps no file open', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leaderOf([leader])
  await keyAt(leader)
  await leader.stop('SIGKILL')
  const wal = join(leader.directory, 'kontor.db-wal')
  rmSync(wal) // as after a power cut
  const [first] = [...etcd.keys.keys()].filter((key) => key.startsWith('kontor/parts/')).sort()
  etcd.keys.delete(first!)
  const counts = watchLead(etcd)

  const port = Number(new URL(leader.url).port)
  const { child } = await startNode(t, etcd.url, { directory: leader.directory, port, wait: false })

  await until('it has tried once', () => counts.left >= 1)
  const beginMs = performance.now()
  await until('it has tried three times', () => counts.left >= 3)
  assert.ok(performance.now() - beginMs > 1_500)
  const open = openFilesOf(child.pid!).filter((name) => name.startsWith(join(leader.directory, 'kontor.db-')))
  assert.ok(open.length <= 3, open.join(', '))
})

/** An attempt may be under way. */
function openFilesOf(pid: number): string[] {
  const directory = `/proc/${pid}/fd`
  return readdirSync(directory).flatMap((fd) => {
    try {
      return [readlinkSync(join(directory, fd))]
    } catch {
      return [] // closed meanwhile
    }
  })
}
