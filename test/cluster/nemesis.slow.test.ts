import { test } from 'node:test'
import { withoutCompiler } from '../support/needs.ts'
import { rounds } from '../support/random.ts'
import { faults, Nemesis } from './nemesis.ts'
import { withoutEtcd } from './real-etcd.ts'

/** Those that differ most; KONTOR_TEST_ROUNDS=2 tries all. */
const common = faults.filter((fault) => !/one member|a member|a follower|is cut off from the other/.test(fault))

test('Nothing acknowledged is lost and nothing shown is taken back, whatever fails of three servers and three members of etcd', {
  skip: withoutEtcd || withoutCompiler,
}, async (t) => {
  const nemesis = await Nemesis.start(t, 11)
  for (const fault of rounds > 1 ? faults : common) {
    const begin = performance.now()
    await nemesis.round(fault)
    t.diagnostic(`${fault}: ${Math.round(performance.now() - begin)} ms, ${nemesis.ledger.acknowledged} writes so far`)
  }
  await nemesis.verifyAll()
})
