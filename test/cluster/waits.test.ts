import assert from 'node:assert/strict'
import { existsSync, readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import type { Layer } from '../../src/http/exchange.ts'
import { until } from '../support/wait.ts'
import { at, caughtUp, keyOfCommands, leaderOf, type Node, startNode } from './cluster.ts'
import { type FakeEtcd, startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

const path = '/api-v1-organizations'

/** Counts how often a node leaves the lead, leases are renewed, and the log is read from its first entry on, from now on. */
function watchLead(etcd: FakeEtcd) {
  const counts = { left: 0, renewed: 0, whole: 0 }
  const firstPart = Buffer.from(`kontor/parts/${'1'.padStart(16, '0')}`).toString('base64')
  const isOfLead = (key = '') => Buffer.from(key, 'base64').toString() === 'kontor/leader'
  etcd.fault = (path, writes, { success = [] }) => {
    if (path.endsWith('/lease/keepalive')) counts.renewed++
    if (writes && success.some(({ request_delete_range }) => isOfLead(request_delete_range?.key))) counts.left++
    if (success.some(({ request_range }) => request_range?.key === firstPart)) counts.whole++
    return undefined
  }
  return counts
}

test('A server that waits for a copy of the database, which the leader does not give, leaves the lead to others once, and reads no entries', async (test) => {
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
  assert.equal(counts.whole, 0)
})

/** Starts a former leader again. Resolves when it waits for another server to lead. */
async function startAndWait(t: TestContext, log: string, { directory, url }: Node): Promise<Node> {
  const node = await startNode(t, log, { directory, port: Number(new URL(url).port), wait: false })
  const waits = 'waiting for another server to lead, as this database'
  await until('it waits', () => node.lines.some((line) => line.includes(waits)))
  return node
}

/** Moves the write-ahead log into the database, as `sqlite3` does. */
function openWithAnotherProgram(directory: string): void {
  const database = join(directory, 'kontor.db')
  const foreign = new Database(database)
  foreign.exec('SELECT 1 FROM sqlite_schema')
  foreign.close()
  assert.ok(!existsSync(`${database}-wal`))
}

test('A server that cannot read what the log has more than its database leaves the lead to others for good, and keeps no file open', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leaderOf([leader])
  await keyOfCommands(leader)
  await leader.stop('SIGKILL')
  const path = join(leader.directory, 'kontor.db-')
  truncateSync(`${path}wal`) // as after a power cut
  const [part] = [...etcd.keys.keys()].filter((key) => key.startsWith('kontor/parts/')).sort()
  etcd.keys.delete(part!)
  const counts = watchLead(etcd)

  const { child } = await startAndWait(t, etcd.url, leader)

  const { renewed } = counts
  await until('it has waited for a while', () => counts.renewed > renewed + 2)
  assert.equal(counts.left, 1)
  const open = openFilesOf(child.pid!).filter((name) => name.startsWith(path))
  assert.ok(open.length <= 3, open.join(', '))
})

test('A leader that was killed does not lead with a database into which another program has moved its write-ahead log, and copies that of the next leader', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  const client = await keyOfCommands(leader)
  const follower = await startNode(t, etcd.url)
  await caughtUp(follower, client, await client.post(path, { name: 'In the log' }))
  follower.child.kill('SIGSTOP')
  etcd.fault = (_path, writes) => (writes ? 'dropped before' : undefined)
  assert.equal((await client.post(path, { name: 'Not in the log' })).status, 503)
  await leader.stop('SIGKILL')
  etcd.fault = () => undefined
  openWithAnotherProgram(leader.directory)

  await (await startAndWait(t, etcd.url, leader)).stop('SIGKILL')
  const back = await startAndWait(t, etcd.url, leader) // also after another start
  follower.child.kill('SIGCONT')
  const created = await at(await leaderOf([follower]), client).post(path, { name: 'Afterwards' })
  await until('it follows', () => back.lines.some((line) => line.includes('"msg":"listening"')))

  const { body } = await (await caughtUp(back, client, created)).get(path)
  const names = body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names.sort(), ['Afterwards', 'In the log'])
})

test('The same is true of a leader that could not hand over, and was killed while it waited for etcd', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  const client = await keyOfCommands(leader)
  etcd.fault = (_path, writes) => (writes ? 'dropped before' : undefined)
  assert.equal((await client.post(path, { name: 'Not in the log' })).status, 503)
  await leader.stop()
  const { directory, url } = leader
  const again = await startNode(t, etcd.url, { directory, port: Number(new URL(url).port), wait: false })
  await until('it cannot join', () => again.lines.some((line) => line.includes('could not join the log yet')))
  await again.stop('SIGKILL')
  etcd.fault = () => undefined
  openWithAnotherProgram(directory)

  await startAndWait(t, etcd.url, leader)
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
