import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Layer } from '../../src/http/exchange.ts'
import { newCompany } from '../support/company.ts'
import { until } from '../support/wait.ts'
import { at, type Node, startNode, untilThere } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

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
