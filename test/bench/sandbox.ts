import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundle, median, residentMiB, stop } from './processes.ts'

const control = '/api-v1-sandbox'
const starts = 10
const repeats = 100
const records = 1_000

/** Sends a request and returns its response. Throws if it fails. */
type Send = (method: string, path: string, body: object) => Promise<unknown>

/** What a reset and a fork take, compared with the start of a new process in the same run. */
export async function benchSandbox(): Promise<void> {
  const startMs: number[] = []
  for (let n = 0; n < starts; n++) startMs.push(await timeOf(async () => stop((await open('demo')).child)))
  const { child, send } = await open('demo')
  const times = {
    'a request (count)': await repeat(() => send('POST', `${control}/requests/count`, {})),
    'reset to the demo': await repeat(() => send('POST', `${control}/reset`, { to: 'demo' })),
    'fork of the demo': await repeatForks(send),
    [`reset to ${records} records`]: await resetOf(send),
  }
  const start = median(startMs)
  console.log(`Start of a process with the demo, to its first response: ${start.toFixed(1)} ms\n`)
  console.log('| operation | p50, ms | p90, ms | share of a start |\n| --- | ---: | ---: | ---: |')
  for (const [name, each] of Object.entries(times)) {
    const p90 = each.toSorted((a, b) => a - b)[Math.floor(each.length * 0.9)]!
    const share = ((100 * median(each)) / start).toFixed(1)
    console.log(`| ${name} | ${median(each).toFixed(1)} | ${p90.toFixed(1)} | ${share} % |`)
  }
  const before = residentMiB(child)
  for (let n = 0; n < repeats; n++) await send('POST', `${control}/forks`, { from: 'demo' })
  console.log(`\n${repeats} forks of the demo take ${(residentMiB(child) - before).toFixed(0)} MiB\n`)
  await stop(child)
}

async function open(seed: string) {
  const child = spawn(process.execPath, [bundle, 'sandbox', '--seed', seed], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, key } = JSON.parse(line)
  const send: Send = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  await send('POST', `${control}/requests/count`, {})
  return { child, send }
}

async function repeatForks(send: Send): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < repeats; n++) {
    let made: { data: { id: string } } | undefined
    times.push(
      await timeOf(async () => {
        made = (await send('POST', `${control}/forks`, { from: 'demo' })) as { data: { id: string } }
      }),
    )
    await send('DELETE', `${control}/forks/${made!.data.id}`, {})
  }
  return times
}

async function resetOf(send: Send): Promise<number[]> {
  await send('POST', `${control}/reset`, { to: 'empty' })
  for (let n = 0; n < records; n++) await send('POST', '/api-v1-organizations', { name: `Company ${n}`, city: 'Oslo' })
  await send('PUT', `${control}/snapshots/thousand`, {})
  return repeat(() => send('POST', `${control}/reset`, { to: 'thousand' }))
}

async function repeat(run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < repeats; n++) times.push(await timeOf(run))
  return times
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}
