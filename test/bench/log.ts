import { Etcd } from '../../src/cluster/etcd.ts'
import { at, keyAt, leaderOf, leaseSeconds, startNode } from '../cluster/cluster.ts'
import { startEtcd } from '../cluster/real-etcd.ts'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'

const path = '/api-v1-organizations'
const writes = 200
const takeovers = 5
const loadPerSecond = 500

/** Prints what the log costs: the time of a write with and without it, how far followers are behind, and how long a takeover takes. */
export async function benchLog(): Promise<void> {
  const ends: (() => unknown)[] = []
  const t = { after: (end: unknown) => void ends.push(end as () => unknown) }
  try {
    const members = await startEtcd(t, 3)
    const log = `etcd://${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/kontor`
    const nodes = [await startNode(t, log)]
    await leaderOf(nodes)
    const client = await keyAt(nodes[0]!)
    for (let count = 0; count < 2; count++) nodes.push(await startNode(t, log, { port: await freePort() }))
    const data = temporaryDirectory(t)
    const alone = await launch(t, bundle, [
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--rate-limits',
      'off',
      '--request-log',
      'off',
    ])
    const without = await firstClient(data, alone.first.url!)
    const [plain, logged, append] = [[], [], []] as [number[], number[], number[]]
    const etcd = new Etcd({ endpoints: members.map(({ port }) => ({ host: '127.0.0.1', port })) })
    for (let n = 0; n < writes; n++) {
      plain.push(await timed(() => without.post(path, { name: `Without ${n}` })))
      logged.push(await timed(() => client.post(path, { name: `With ${n}` })))
      append.push(await timed(() => etcd.txn({ ops: [{ put: 'bench', value: Buffer.alloc(6_000, n) }] })))
    }
    etcd.close()
    const medians = [plain, logged, append].map((times) => quantile(times, 0.5)) as [number, number, number]
    console.log(
      `log: one client, median: ${ms(medians[0])} without, ${ms(medians[1])} with, an append to etcd ${ms(medians[2])}; ` +
        `with - without - append = ${ms(medians[1] - medians[0] - medians[2])}`,
    )
    const behind = await measureLag(client, at(nodes[1]!, client))
    console.log(
      `log: a follower under ${loadPerSecond} writes a second is behind by ${ms(quantile(behind, 0.5))} (median), ${ms(quantile(behind, 0.99))} (p99)`,
    )
    const gaps: number[] = []
    for (let round = 0; round < takeovers; round++) {
      const leader = await leaderOf(nodes)
      const rest = nodes.filter((node) => node !== leader)
      const begin = performance.now()
      await leader.stop('SIGKILL')
      const next = await leaderOf(rest)
      await at(next, client).post(path, { name: `After ${round}` })
      gaps.push(performance.now() - begin)
      nodes[nodes.indexOf(leader)] = await startNode(t, log, { directory: leader.directory })
    }
    console.log(`log: takeover after a kill, lease ${leaseSeconds} s: ${gaps.map(ms).join(', ')}`)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** How long after its acknowledgement a write can be read at a follower. */
async function measureLag(leader: Client, follower: Client): Promise<number[]> {
  const lags: Promise<number>[] = []
  const end = performance.now() + 5_000
  let sent = 0
  const begin = performance.now()
  while (performance.now() < end) {
    const due = Math.floor(((performance.now() - begin) / 1_000) * loadPerSecond)
    for (; sent < due; sent++) {
      const isWatched = sent % 50 === 0
      const writing = leader.post(path, { name: `Load ${sent}` })
      if (isWatched) lags.push(writing.then((written) => lagOf(written.body.data.id, follower)))
      else writing.catch(() => {})
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Promise.all(lags)
}

async function lagOf(id: string, follower: Client): Promise<number> {
  const begin = performance.now()
  while ((await follower.get(`${path}/${id}`)).status !== 200) await new Promise(setImmediate)
  return performance.now() - begin
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}
