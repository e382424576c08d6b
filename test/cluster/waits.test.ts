import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Layer } from '../../src/http/exchange.ts'
import { until } from '../support/wait.ts'
import { keyAt, leaderOf, startNode } from './cluster.ts'
import { type FakeEtcd, startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

/** Counts how often a node takes the lead, and leaves it, from now on; `renewedAt`: how often its lease had been renewed each time that it left. */
function watchLead(etcd: FakeEtcd) {
  const counts = { left: 0, taken: 0, renewed: 0, renewedAt: [] as number[] }
  const isOfLead = (key = '') => Buffer.from(key, 'base64').toString() === 'kontor/leader'
  etcd.fault = (path, writes, { success = [] }) => {
    if (path.endsWith('/lease/keepalive')) counts.renewed++
    if (writes && success.some(({ request_delete_range }) => isOfLead(request_delete_range?.key))) {
      counts.left++
      counts.renewedAt.push(counts.renewed)
    }
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
  const [part] = [...etcd.keys.keys()].filter((key) => key.startsWith('kontor/parts/')).sort()
  etcd.keys.delete(part!)
  const counts = watchLead(etcd)

  const port = Number(new URL(leader.url).port)
  const { child } = await startNode(t, etcd.url, { directory: leader.directory, port, wait: false })

  await until('it has tried three times', () => counts.left >= 3)
  const [first = 0, , third = 0] = counts.renewedAt
  assert.ok(third - first >= 2, 'a lease of three seconds is renewed more often than each second')
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
