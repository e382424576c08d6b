import { setTimeout as delay } from 'node:timers/promises'
import { contactBodies } from './contacts.ts'
import { jobEnded, submitJob } from './imports.ts'
import { loadCore, median, start } from './processes.ts'
import { served } from './served.ts'

const rounds = 7
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const cores = '0,1'

type Latencies = Record<string, { p50: number; p99: number }>

/** Latencies of single requests with and without imports of 1,000 records running one after the other. */
export async function benchImportFairness(): Promise<void> {
  const kontor = await served({}, cores)
  const { url, headers } = kontor
  const targets = [
    { name: 'GET by id', url: `${url}/${kontor.ids[500]}`, method: 'GET', headers },
    { name: 'list of 50', url, method: 'GET', headers },
    { name: 'POST create', url, method: 'POST', headers, body: '{"name":"Nordwind Logistik"}' },
  ]
  const pairs: [idle: Latencies, busy: Latencies][] = []
  let imports = 0
  await measureLatencies(targets)
  for (let round = 0; round < rounds; round++) {
    const idle = await measureLatencies(targets)
    const importing = importUntilStopped(new URL(url).origin, headers, () => imports++)
    const busy = await measureLatencies(targets)
    await importing.stop()
    pairs.push([idle, busy])
  }
  const of = (name: string, which: 0 | 1, p: 'p50' | 'p99') =>
    median(pairs.map((pair) => pair[which][name]![p])).toFixed(1)
  console.log(`${imports} imports of 1,000 contacts ran during the single requests.\n`)
  console.log('| request | idle p50 ms | idle p99 | importing p50 | importing p99 | ratio of p99 |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  for (const { name } of targets) {
    const ratio = median(pairs.map(([idle, busy]) => busy[name]!.p99 / idle[name]!.p99)).toFixed(2)
    const cells = [of(name, 0, 'p50'), of(name, 0, 'p99'), of(name, 1, 'p50'), of(name, 1, 'p99'), ratio]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  console.log()
  await kontor.close()
}

async function measureLatencies(targets: unknown[]): Promise<Latencies> {
  const script = new URL('./latency.ts', import.meta.url).pathname
  const { first } = await start(loadCore, [process.execPath, script, JSON.stringify({ targets, seconds })])
  return first as unknown as Latencies
}

function importUntilStopped(origin: string, headers: Record<string, string>, onImport: () => void) {
  let stopping = false
  const running = (async () => {
    for (let job = 0; !stopping; job++) {
      const path = await submitJob(origin, headers, JSON.stringify({ records: contactBodies(job) }))
      await jobEnded(`${origin}${path}`, headers)
      onImport()
    }
  })()
  return {
    async stop() {
      stopping = true
      await running
      await delay(500) // until its writes are on the disk
    },
  }
}
