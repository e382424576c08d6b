import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKey } from '../../src/access/key.ts'
import type { Layer } from '../../src/http/exchange.ts'
import { assertError } from '../support/client.ts'
import { newCompany } from '../support/company.ts'
import { until } from '../support/wait.ts'
import { at, type Node, startNode, untilThere } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, type OwnNode, startOwnNode } from './own-node.ts'

/** How often something is tried, after which it would have been logged several times. */
const tries = 4

function countLogged({ lines }: Node, msg: string): number {
  return lines.filter((line) => line.includes(`"msg":"${msg}"`)).length
}

test('A server that follows logs once that its leader does not take the usage of keys, and not each time that it tries', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  let refused = 0
  const refuse: Layer = async (ctx, next) => {
    if (ctx.path !== '/cluster/usage') return next()
    refused++
    ctx.res.writeHead(503).end()
  }
  const leader = await startOwnNode(t, etcd.url, { firstLayers: [refuse] })
  const { client } = await newCompany(leader.store, leader.url, 'Acme')
  const follower = await startNode(t, etcd.url)

  await untilThere(at(follower, client), String(leader.member.position))
  await until('the leader has been asked several times', () => refused >= tries)

  assert.equal(countLogged(follower, 'writing usage failed'), 1)
})

test('Usage that a leader refuses for good does not keep back what a server that follows counts later', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  let refused: unknown
  const refuse: Layer = async (ctx, next) => {
    const batch = ctx.req.headers['kontor-batch']
    if (ctx.path !== '/cluster/usage' || batch !== (refused ?? batch)) return next()
    refused = batch
    ctx.res.writeHead(400).end()
  }
  const leader = await startOwnNode(t, etcd.url, { firstLayers: [refuse] })
  const { client } = await newCompany(leader.store, leader.url, 'Acme')
  const follower = await startNode(t, etcd.url)
  const there = at(follower, client)
  await untilThere(there, String(leader.member.position))
  await until('counts have been refused', () => refused !== undefined)

  await there.get('/api-v1-organizations')

  await until('later ones are written', () => findKey(leader.store.access, client.keyId).request_count > 0)
  assert.equal(countLogged(follower, 'the leader refused counts of usage: they are dropped'), 1)
})

test('A server that cannot reach etcd logs once that its lease cannot be renewed', async (t) => {
  const etcd = await startFakeEtcd(t)
  const server = await startNode(t, etcd.url)
  const lost = 'the lease could not be renewed'
  let renewals = 0
  etcd.fault = (path) => {
    if (path === '/v3/lease/keepalive' && countLogged(server, lost) > 0) renewals++
    return 'dropped before'
  }

  await until('it has tried several times since', () => renewals >= tries)

  assert.equal(countLogged(server, lost), 1)
})

test('The usage that a follower sends again because an answer was lost is counted once, also by the next leader', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const first = await startOwnNode(t, etcd.url)
  const { client } = await newCompany(first.store, first.url, 'Acme')
  const next = await startOwnNode(t, etcd.url)
  const count = { keyId: client.keyId, day: '2026-11-30', succeeded: 5, rejected: 0, rate_limited: 0, failed: 0 }
  const send = async ({ url, member }: OwnNode, id: string) => {
    const batch = `node ${id}`
    const headers = { Authorization: `Bearer ${await member.joined.log.secret()}`, 'Kontor-Batch': batch }
    const body = JSON.stringify([{ ...count, lastUsedMs: 1, lastIp: '127.0.0.1' }])
    assert.equal((await fetch(`${url}/cluster/usage`, { method: 'POST', headers, body })).status, 200)
  }

  for (const id of ['1', '1', '2']) await send(first, id)
  await first.stop()
  await until('the other server leads', () => next.member.isLeader)
  for (const id of ['2', '3']) await send(next, id)
  const read = () => findKey(next.store.access, client.keyId).request_count
  const counted = await until('the usage is written', read, { is: (count) => count >= 15 })

  assert.equal(counted, 15)
})

test('A leader that cannot write its log refuses at once the reads that show more than it has', async (test) => {
  const t = inReverse(test)
  const etcd = await startFakeEtcd(t)
  const { store, url } = await startOwnNode(t, etcd.url)
  const { client } = await newCompany(store, url, 'Acme')
  const path = '/api-v1-organizations'

  etcd.fault = (_, writes) => (writes ? 'full' : undefined)
  const written = await client.post(path, { name: 'During' })
  const read = await client.get(path)
  etcd.fault = () => undefined
  const later = await until('reads are answered again', () => client.get(path), { is: ({ status }) => status === 200 })

  const unconfirmed = 'The log did not confirm the write in time: it is not known whether it is kept'
  assertError(written, 503, 'SERVICE_UNAVAILABLE', unconfirmed)
  assertError(read, 503, 'SERVICE_UNAVAILABLE', 'The log of changes cannot be written at present: try again')
  assert.equal(later.body.data.length, 1)
})
