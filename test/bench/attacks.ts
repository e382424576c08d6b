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
  'large bodies': ['bodies'],
  'unread pages': ['unread'],
  'sign-ins': ['sign-ins'],
  'all at once': ['lists', 'bodies', 'unread', 'sign-ins'],
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
  const paths = tenants.victimIds.map((id) => `/api-v1-organizations/${id}`)
  await measure(reads, lists, paths, seconds / 4)
  const idle = await measure(reads, lists, paths, seconds)
  console.log('| attack | GET p99 ms | times idle | list p50 ms | list largest ms | MiB |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  const row = (name: string, { p99, list, listMax }: Measured, memory: number) =>
    console.log(
      `| ${name} | ${p99.toFixed(1)} | ${(p99 / idle.p99).toFixed(1)} | ${list.toFixed(0)} | ${listMax.toFixed(0)} | ${memory.toFixed(0)} |`,
    )
  row('none', idle, residentMiB(server.child))
  for (const [name, kinds] of Object.entries(scenarios)) {
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMiB(server.child))
    }, 50)
    const attacker = spawn(process.execPath, [script, server.first.url, tenants.attacker, kinds.join()], {
      stdio: 'inherit',
    })
    row(name, await measure(reads, lists, paths, seconds), peak)
    attacker.kill('SIGKILL')
    clearInterval(watch)
    await measure(reads, lists, paths, 1)
  }
  console.log()
  for (const client of [reads, lists]) client.close()
  await stop(server.child)
  rmSync(data, { recursive: true })
}

interface Measured {
  p99: number
  list: number
  listMax: number
}

async function measure(reads: TimedClient, lists: TimedClient, paths: string[], forSeconds: number): Promise<Measured> {
  const end = performance.now() + forSeconds * 1000
  const repeat = async (ask: (round: number) => Promise<{ ms: number }>) => {
    const times: number[] = []
    for (let round = 0; performance.now() < end; round++) times.push((await ask(round)).ms)
    return times.sort((a, b) => a - b)
  }
  const [gets, long] = await Promise.all([
    repeat((round) => reads.ask(paths[(round * 7) % paths.length]!)),
    repeat((round) => lists.ask(`${list}&page=${round + 1}`)),
  ])
  return { p99: at(gets, 0.99), list: at(long, 0.5), listMax: long.at(-1)! }
}

function at(sorted: number[], quantile: number): number {
  return sorted[Math.floor(sorted.length * quantile)]!
}
