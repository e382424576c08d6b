import { TimedClient } from './client.ts'
import { type Running, runBig } from './running.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3) * 2
const rounds = 3

/** The slowest requests of one client: filters without an index, two letters, deep pages, nearly all records, many filters. */
const worst = [
  '/api-v1-contacts?last_name[like]=er&sort=-updated_at',
  '/api-v1-contacts?job_title[like]=%25a%25e%25&sort=first_name',
  '/api-v1-contacts?page=18000&sort=last_name',
  '/api-v1-contacts?page=18000',
  '/api-v1-contacts?last_name[ne]=Wolf&sort=updated_at&page=9000',
  '/api-v1-contacts?email[like]=e&phone[like]=4&sort=job_title,first_name',
  '/api-v1-tasks?status=completed&priority=urgent&assigned_to[ne]=null&sort=title:asc,due_date:desc&limit=1000',
  '/api-v1-activities?subject[like]=with&type[ne]=call&sort=subject:asc&limit=1000',
  '/api-v1-deals?value[gt]=100&probability[lt]=99&currency[ne]=EUR&sort=-expected_close_date,value',
  `/api-v1-organizations?${Array.from({ length: 50 }, (_, at) => `name[like]=%25${'aeiou'[at % 5]}%25`).join('&')}`,
]

/** GETs by id of one client, with and without four connections of another that request the slowest lists. */
export async function benchStall(): Promise<void> {
  const big = await runBig()
  const ids = big.db.prepare('SELECT id FROM contact WHERE workspace_id = ? AND deleted_at IS NULL LIMIT 5000').pluck()
  const paths = (ids.all(big.workspaceId) as string[]).map((id) => `/api-v1-contacts/${id}`)
  const ratios: number[] = []
  console.log('| GET by id | p50 ms | p99 ms | largest ms | slow lists completed meanwhile |')
  console.log('| --- | ---: | ---: | ---: | ---: |')
  await latencies(big, paths)
  for (let round = 0; round < rounds; round++) {
    const idle = await latencies(big, paths)
    report('alone', idle, 0)
    const load = runWorst(big)
    const busy = await latencies(big, paths)
    report('during the slow lists', busy, await load.stop())
    ratios.push(at(busy, 0.99) / at(idle, 0.99))
  }
  const ratio = ratios.toSorted((a, b) => a - b)[1]!
  console.log(`\np99 during the slow lists is ${ratio.toFixed(1)} times the p99 alone`)
  console.log(`Resident memory: ${big.residentMiB().toFixed(0)} MiB\n`)
  await big.stop()
}

async function latencies({ client }: Running, paths: string[]): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < end; n++) times.push((await client.ask(paths[(n * 7) % paths.length]!)).ms)
  return times.sort((a, b) => a - b)
}

function runWorst({ url, key }: Running): { stop(): Promise<number> } {
  let stopping = false
  let completed = 0
  const connections = [0, 1, 2, 3].map(async (first) => {
    const client = new TimedClient(url, key)
    for (let n = first; !stopping; n++) {
      await client.ask(worst[n % worst.length]!)
      completed++
    }
    client.close()
  })
  return {
    async stop() {
      stopping = true
      const meanwhile = completed
      await Promise.all(connections)
      return meanwhile
    },
  }
}

function at(sorted: number[], quantile: number): number {
  return sorted[Math.floor(sorted.length * quantile)]!
}

function report(name: string, sorted: number[], completed: number): void {
  const cells = [at(sorted, 0.5), at(sorted, 0.99), sorted.at(-1)!].map((ms) => ms.toFixed(2))
  console.log(`| ${name} | ${cells.join(' | ')} | ${completed} |`)
}
