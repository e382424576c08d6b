import { cpuSeconds, measure, median } from './processes.ts'
import { served } from './served.ts'

const rounds = 7
const warmUpSeconds = 5
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

const metrics = { KONTOR_METRICS: '127.0.0.1:0' }
const servers: Record<string, NodeJS.ProcessEnv> = {
  'nobody looks': { KONTOR_REQUEST_LOG: 'off' },
  'request log (default)': {},
  'metrics alone': { KONTOR_REQUEST_LOG: 'off', ...metrics },
  'request log and metrics': metrics,
}

/** CPU time that the request log and the metrics cost GET by id: alternates between servers that differ in nothing else. */
export async function benchObserved(): Promise<void> {
  const started = await Promise.all(
    Object.entries(servers).map(async ([name, env]) => ({ name, server: await served(env), costs: [] as number[] })),
  )
  const cost = async ({ server: { url, ids, headers, child } }: (typeof started)[number], duration: number) => {
    const before = cpuSeconds(child)
    const { requests } = await measure({ url: `${url}/${ids[500]}`, headers, seconds: duration })
    return ((cpuSeconds(child) - before) / requests) * 1e6
  }
  for (const each of started) await cost(each, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    for (const each of started) each.costs.push(await cost(each, seconds))
  }
  const [{ costs: bare }] = started as [(typeof started)[number]]
  console.log('| GET by id | processor time a request, µs | ratio to nobody looking |\n| --- | ---: | ---: |')
  for (const { name, costs, server } of started) {
    const ratio = median(costs.map((each, round) => each / bare[round]!))
    console.log(`| ${name} | ${median(costs).toFixed(1)} | ${ratio.toFixed(2)} |`)
    await server.close()
  }
  console.log()
}
