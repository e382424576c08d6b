import { faults, Nemesis, seedOf } from '../cluster/nemesis.ts'
import { withoutEtcd } from '../cluster/real-etcd.ts'
import { randomOf } from '../support/random.ts'
import { benchLog } from './log.ts'

/**
 * Several servers that share a log in etcd: first the price of the log, then rounds in which servers, members of etcd and connections
 * fail at random while a ledger of every endpoint is written. BENCH_ROUNDS (default: 20), BENCH_SEED.
 */
export async function benchNodes(): Promise<void> {
  if (withoutEtcd) return console.log(`nodes: ${withoutEtcd}`)
  await benchLog()
  const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
  const seed = seedOf(process.env.BENCH_SEED)
  const ends: (() => unknown)[] = []
  const random = randomOf(seed)
  const nemesis = await Nemesis.start({ after: (end: unknown) => void ends.push(end as () => unknown) }, seed)
  try {
    for (let round = 1; round <= rounds; round++) {
      const fault = random.pick(faults)
      await nemesis.round(fault)
      console.log(
        `nodes: round ${round} of ${rounds} (seed ${seed}): ${fault}; ${nemesis.ledger.acknowledged} acknowledged, 0 lost`,
      )
    }
    await nemesis.verifyAll()
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
