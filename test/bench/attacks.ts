import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTenants } from './attacks/data.ts'
import { TimedClient } from './client.ts'
import { residentMiB, serving, start, stop } from './processes.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3) * 4
/** A list of the other company that takes tens of milliseconds without load. */
const list = '/api-v1-organizations?name[like]=7%253&name[ne]=x&sort=-updated_at'
const script = new URL('./attacks/attacker.ts', import.meta.url).pathname

const scenarios: Record<string, string[]> = {
  'worst lists': ['lists'],
  'long writes': ['writes'],
  'large bodies': ['bodies'],
  'unread pages': ['unread'],
  'sign-ins': ['sign-ins'],
  'pipelined requests': ['pipelined'],
  'all at once': ['lists', 'writes', 'bodies', 'unread', 'sign-ins'],
}

/** Latencies of one company while another one attacks, and the memory used. */
export async function benchAttacks(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const tenants = await makeTenants(data)
  const command = serving(data)
  const server = await start(`0-${availableParallelism() - 1}`, command, {
    KONTOR_RATE_LIMITS: 'off',
    KONTOR_REQUEST_LOG: 'off',
  })
  const reads = new TimedClient(server.first.url, tenants.victim)
  const lists = new TimedClient(server.first.url, tenants.victim)
  const writes = new TimedClient(server.first.url, tenants.victim)
  const paths = tenants.victimIds.map((id) => `/api-v1-organizations/${id}`)
  await measure({ reads, lists, writes, paths }, seconds / 4)
  const idle = await measure({ reads, lists, writes, paths }, seconds)
  console.log('| attack | GET p99 ms | times idle | POST p50 ms | times idle | list p50 ms | list largest ms | MiB |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  const row = (name: string, { p99, post, list, listMax }: Measured, memory: number) => {
    const times = [p99, p99 / idle.p99, post, post / idle.post].map((each) => each.toFixed(1))
    console.log(`| ${[name, ...times, ...[list, listMax, memory].map((each) => each.toFixed(0))].join(' | ')} |`)
  }
  row('none', idle, residentMiB(server.child))
  for (const [name, kinds] of Object.entries(scenarios)) {
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMiB(server.child))
    }, 50)
    const attacker = spawn(process.execPath, [script, server.first.url, tenants.attacker, kinds.join()], {
      stdio: 'inherit',
    })
    row(name, await measure({ reads, lists, writes, paths }, seconds), peak)
    attacker.kill('SIGKILL')
    clearInterval(watch)
    await measure({ reads, lists, writes, paths }, 1)
  }
  console.log()
  for (const client of [reads, lists, writes]) client.close()
  await stop(server.child)
  rmSync(data, { recursive: true })
}

interface Measuring {
  reads: TimedClient
  lists: TimedClient
  writes: TimedClient
  paths: string[]
}

interface Measured {
  p99: number
  post: number
  list: number
  listMax: number
}

async function measure({ reads, lists, writes, paths }: Measuring, forSeconds: number): Promise<Measured> {
  const end = performance.now() + forSeconds * 1000
  const repeat = async (ask: (round: number) => Promise<{ ms: number }>) => {
    const times: number[] = []
    for (let round = 0; performance.now() < end; round++) times.push((await ask(round)).ms)
    return times.sort((a, b) => a - b)
  }
  const [gets, long, posts] = await Promise.all([
    repeat((round) => reads.ask(paths[(round * 7) % paths.length]!)),
    repeat((round) => lists.ask(`${list}&page=${round + 1}`)),
    repeat(() => writes.ask('/api-v1-tasks', 'POST', '{"title":"Call"}')),
  ])
  return { p99: at(gets, 0.99), post: at(posts, 0.5), list: at(long, 0.5), listMax: long.at(-1)! }
}

function at(sorted: number[], quantile: number): number {
  return sorted[Math.floor(sorted.length * quantile)]!
}
