import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomOf, rounds } from '../support/random.ts'
import { keyAt, leaderOf, startNode } from './cluster.ts'
import { startFakeEtcd } from './fake-etcd.ts'
import { FollowerReads } from './follower-reads.ts'

const readsPerRound = 1_500
const readsPerWrite = 20

test('Beside writes, every response of a follower shows exactly what its position says, and what was asked for', async (t) => {
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  await leaderOf([leader])
  const reads = await FollowerReads.open(await keyAt(leader), await startNode(t, etcd.url), randomOf(1))

  const { reads: done, violations, refused } = await reads.run(readsPerRound * rounds, readsPerWrite)

  assert.deepEqual(violations.slice(0, 10), [])
  assert.ok(refused < done / 10, `${refused} of ${done} were refused`)
})
