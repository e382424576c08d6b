import { test } from 'node:test'
import { faults, Nemesis } from '../support/nemesis.ts'
import { withoutEtcd } from '../support/real-etcd.ts'

test('Nothing acknowledged is lost and nothing shown is taken back, whatever fails of three servers and three members of etcd', {
  skip: withoutEtcd,
}, async (t) => {
  const nemesis = await Nemesis.start(t, 11)
  for (const fault of faults) {
    const begin = performance.now()
    await nemesis.round(fault)
    t.diagnostic(`${fault}: ${Math.round(performance.now() - begin)} ms, ${nemesis.ledger.acknowledged} writes so far`)
  }
  await nemesis.verifyAll()
})
