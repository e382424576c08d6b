import { once } from 'node:events'
import type { Paced, PacedLoad } from './paced-load.ts'
import { cpuSeconds, loadCore, residentMiB, start } from './processes.ts'
import { served } from './served.ts'

const connections = 2_000
const rates = [1, 2, 5, 10]
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
/** Of ten requests, nine are for a record and one is for a list. */
const listEvery = 10

/** Latencies with two thousand connections, each of which sends requests at a fixed rate. */
export async function benchConnections(): Promise<void> {
  const max = String(2 * connections)
  const { child, url, ids, headers, close } = await served({
    KONTOR_CONNECTIONS_MAX: max,
    KONTOR_CONNECTIONS_PER_ADDRESS_MAX: max,
    KONTOR_REQUESTS_MAX: max,
    KONTOR_REQUESTS_PER_CLIENT_MAX: max,
  })
  const { pathname } = new URL(url)
  const paths = ids.map((id, at) =>
    at % listEvery === 0 ? `${pathname}?page=${at / listEvery + 1}&per_page=10` : `${pathname}/${id}`,
  )
  const load = { url, headers: { Authorization: headers.Authorization }, paths, connections }
  await run({ ...load, perSecond: 2, seconds: 5 })
  console.log(`${connections} connections, one core for the server\n`)
  console.log('| requests/s of each | in total | errors | p50 ms | p99 ms | share of the core | resident MiB |')
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const perSecond of rates) {
    const [cpu, begin] = [cpuSeconds(child), performance.now()]
    const { errors, p50, p99 } = await run({ ...load, perSecond, seconds })
    const share = ((cpuSeconds(child) - cpu) * 1000) / (performance.now() - begin)
    const cells = [
      perSecond,
      perSecond * connections,
      errors,
      p50.toFixed(1),
      p99.toFixed(1),
      share.toFixed(2),
      residentMiB(child).toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  console.log()
  await close()
}

async function run(load: PacedLoad): Promise<Paced> {
  const script = new URL('./paced-load.ts', import.meta.url).pathname
  const { child, first } = await start(loadCore, [process.execPath, script, JSON.stringify(load)])
  if (child.exitCode === null) await once(child, 'exit')
  return first as unknown as Paced
}
