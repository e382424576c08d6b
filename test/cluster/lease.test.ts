import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lease } from '../../src/cluster/lease.ts'
import type { Log } from '../../src/cluster/log.ts'
import { until } from '../support/wait.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { inReverse, startOwnNode } from './own-node.ts'

test('A leader whose lease has ended, and which nobody has replaced, leads on with a new one', async (test) => {
  const t = inReverse(test)
  const { member, store } = await startOwnNode(t, (await startFakeEtcd(t)).url)
  const { log, lease } = member.joined
  const before = lease.id

  await log.revoke(before)

  await until('it leads with a new lease', () => lease.id !== before && lease.leads)
  await store.writeAccess((tx) => tx.run("INSERT INTO setting (name, value) VALUES ('one', 'x')"))
})

test('A server that gets the lead back does not lead if another one has led meanwhile', async (t) => {
  const log = { grant: async () => '1', campaign: async () => true, revoke: async () => {} } as unknown as Log
  const lease = new Lease(log, 60)
  t.after(() => lease.close())
  await lease.open()

  assert.equal(await lease.campaign({ node: 'a', url: '' }, async () => false), false)
  assert.equal(lease.leads, false)
  assert.equal(await lease.campaign({ node: 'a', url: '' }), true)
  assert.equal(lease.leads, true)
})
