import { keyAt, leaderOf, startNode } from '../cluster/cluster.ts'
import { FollowerReads } from '../cluster/follower-reads.ts'
import { startEtcd, withoutEtcd } from '../cluster/real-etcd.ts'
import { randomOf } from '../support/random.ts'

const readsPerWrite = 20

/**
 * Reads a follower of every kind while the leader writes, and counts the responses that do not show exactly what their position says.
 * BENCH_READS (default: 100,000), BENCH_SEED.
 */
export async function benchFollowerReads(): Promise<void> {
  if (withoutEtcd) return console.log(`follower-reads: ${withoutEtcd}`)
  const count = Number(process.env.BENCH_READS ?? 100_000)
  const seed = Number(process.env.BENCH_SEED ?? Date.now() % 1e6)
  const ends: (() => unknown)[] = []
  const t = { after: (end: unknown) => void ends.push(end as () => unknown) }
  try {
    const [etcd] = await startEtcd(t, 1)
    const log = `etcd://127.0.0.1:${etcd!.port}/kontor`
    const leader = await startNode(t, log)
    await leaderOf([leader])
    const reads = await FollowerReads.open(await keyAt(leader), await startNode(t, log), randomOf(seed))
    const begin = performance.now()
    const { reads: done, writes, violations, refused } = await reads.run(count, readsPerWrite)
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0)
    console.log(
      `follower-reads: ${done} reads beside ${writes} writes in ${seconds} s (seed ${seed}): ${violations.length} violations, ${refused} refused`,
    )
    for (const violation of violations.slice(0, 10)) console.log(`follower-reads: ${violation}`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
