import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { insertKey } from '../../src/access/key.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { cpuSeconds, residentMiB, serving, start, stop } from './processes.ts'

interface Readers {
  companies: number
  keysPerCompany: number
  streamsPerKey: number
  waitsPerKey: number
}

const thousand: Readers = { companies: 100, keysPerCompany: 1, streamsPerKey: 5, waitsPerKey: 5 }
const tenThousandStreams: Readers = { companies: 200, keysPerCompany: 10, streamsPerKey: 5, waitsPerKey: 0 }
const connectionsMax = '21000'
const idleSeconds = Number(process.env.BENCH_SECONDS ?? 10)
const writes = 500
const pauseMs = 5

/** What readers that wait for changes cost an idle server, and how soon a change reaches one of them. */
export async function benchWaiting(): Promise<void> {
  for (const readers of [thousand, tenThousandStreams]) await benchReaders(readers)
}

async function benchReaders(readers: Readers): Promise<void> {
  const { companies, keysPerCompany, streamsPerKey, waitsPerKey } = readers
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const keys = await makeKeys(data, readers)
  const command = serving(data)
  const limits = { KONTOR_CONNECTIONS_MAX: connectionsMax, KONTOR_CONNECTIONS_PER_ADDRESS_MAX: connectionsMax }
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off', ...limits }
  const { child, first } = await start(`0-${availableParallelism() - 1}`, command, env)
  const changes = `${first.url}/api-v1-changes?after=now`
  await timeWrites(first.url, keys[0]!)
  const without = await idle(child)
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY, keepAlive: true })
  for (const key of keys.slice(1)) {
    for (let count = 0; count < streamsPerKey; count++) await open(changes, key, agent, true)
    for (let count = 0; count < waitsPerKey; count++) keepWaiting(`${changes}&wait=30`, key, agent)
  }
  const withReaders = await idle(child)
  const keyCount = companies * keysPerCompany
  const row = ({ cpuMs, miB }: Idle, perKey: number[]) =>
    console.log(`| ${[...perKey.map((each) => each * keyCount), cpuMs.toFixed(0), miB.toFixed(0)].join(' | ')} |`)
  console.log(`| streams | waiting requests | CPU ms in ${idleSeconds} s idle | resident MiB |`)
  console.log('| ---: | ---: | ---: | ---: |')
  row(without, [0, 0])
  row(withReaders, [streamsPerKey, waitsPerKey])
  const ms = (await timeWrites(first.url, keys[0]!)).sort((a, b) => a - b)
  const [p50, p99] = [0.5, 0.99].map((share) => ms[Math.floor(ms.length * share)]!.toFixed(2))
  console.log(`\nFrom the response to a POST to the event on a stream: p50 ${p50} ms, p99 ${p99} ms\n`)
  agent.destroy()
  await stop(child)
  rmSync(data, { recursive: true })
}

/** Creates the companies, and one for the writer. Returns the writer's key and those of the others. */
function makeKeys(data: string, { companies, keysPerCompany }: Readers): Promise<string[]> {
  const make = (name: string, count: number) => (tx: Parameters<typeof createCompany>[0]) => {
    const { id } = createCompany(tx, { name, plan: 'enterprise' })
    const key = { companyId: id, environment: 'live', name, scopes: ['admin:all'] } as const
    return Array.from({ length: count }, () => insertKey(tx, key).key)
  }
  return withStore(
    data,
    async (store) => {
      const keys = await store.writeAccess(make('Writer', 1))
      for (let count = 0; count < companies; count++)
        keys.push(...(await store.writeAccess(make(`Company ${count}`, keysPerCompany))))
      return keys
    },
    { create: true },
  )
}

interface Idle {
  cpuMs: number
  miB: number
}

async function idle(child: ChildProcess): Promise<Idle> {
  await delay(2_000)
  const before = cpuSeconds(child)
  await delay(idleSeconds * 1000)
  return { cpuMs: (cpuSeconds(child) - before) * 1000, miB: residentMiB(child) }
}

async function open(url: string, key: string, agent: Agent, events: boolean): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${key}`, ...(events && { Accept: 'text/event-stream' }) }
  const sent = request(url, { agent, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  response.on('error', () => {})
  return events ? response : response.resume()
}

/** Sends a request that waits, and another one after each response, until the connection is closed. */
async function keepWaiting(url: string, key: string, agent: Agent): Promise<void> {
  try {
    for (;;) await once(await open(url, key, agent, false), 'end')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

/** The time from the response to each write to its event on a stream; negative if the event was first. */
async function timeWrites(url: string, key: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const stream = await open(`${url}/api-v1-changes?after=now`, key, agent, true)
  let arrived = Promise.withResolvers<number>()
  stream.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('data: ')) arrived.resolve(performance.now())
  })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const times: number[] = []
  for (let count = 0; count < writes; count++) {
    arrived = Promise.withResolvers()
    const sent = request(`${url}/api-v1-organizations`, { agent, method: 'POST', headers }).end('{"name":"Acme"}')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const acknowledged = performance.now()
    response.resume()
    times.push((await arrived.promise) - acknowledged)
    await delay(pauseMs)
  }
  stream.destroy()
  agent.destroy()
  return times
}
