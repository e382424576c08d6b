import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { insertKey } from '../../src/access/key.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { bundle, cpuSeconds, measure, median, start, stop } from './processes.ts'
import { organizationBody } from './served.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const rounds = 3
const companies = 50
const webhooksPerCompany = 20
/** One webhook in this many has a receiver that never responds. */
const deadEvery = 10
const allCores = `0-${availableParallelism() - 1}`

/** A server with companies, each with a key that has all scopes. */
interface Running {
  url: string
  keys: string[]
  cpuSeconds(): number
  close(): Promise<void>
}

interface Arrived {
  seq: number
  atMs: number
}

/** What webhooks add to the server's work, and how soon changes arrive. */
export async function benchWebhooks(): Promise<void> {
  await benchLatency()
  await benchRate()
  await benchThroughput()
  await benchMany()
}

/** From the response to a write to its arrival at a receiver, on an idle server. */
async function benchLatency(): Promise<void> {
  const server = await run(1)
  const receiver = await receive()
  await subscribe(server, 0, receiver.url)
  const times: number[] = []
  for (let n = 0; n < 300; n++) {
    const before = receiver.arrived.length
    await write(server, 0)
    const acknowledged = performance.now()
    while (receiver.arrived.length === before) await delay(1)
    times.push(receiver.arrived.at(-1)!.atMs - acknowledged)
    await delay(5)
  }
  const sorted = times.sort((a, b) => a - b)
  const [p50, p99] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)]!.toFixed(1))
  console.log(`From the response to a POST to its delivery, idle: p50 ${p50} ms, p99 ${p99} ms\n`)
  receiver.close()
  await server.close()
}

/** The rate of POST with a webhook for everything, as a share of the rate without, in turn. */
async function benchRate(): Promise<void> {
  const rates: { with: number; without: number }[] = []
  for (let round = 0; round < rounds; round++) rates.push({ with: await rateOf(true), without: await rateOf(false) })
  const ratio = median(rates.map((each) => each.with / each.without))
  const [logged, without] = [median(rates.map((each) => each.with)), median(rates.map((each) => each.without))]
  console.log(
    `POST with a webhook for everything: ${logged.toFixed(0)}/s, without ${without.toFixed(0)}/s: ${ratio.toFixed(2)}\n`,
  )
}

async function rateOf(hasWebhook: boolean): Promise<number> {
  const server = await run(1)
  const receiver = await receive()
  if (hasWebhook) await subscribe(server, 0, receiver.url)
  const load = { url: `${server.url}/api-v1-organizations`, method: 'POST' as const, body: organizationBody, seconds }
  const headers = headersOf(server.keys[0]!)
  await measure({ ...load, headers })
  const { rate } = await measure({ ...load, headers })
  receiver.close()
  await server.close()
  return rate
}

/** Deliveries per second from a backlog, alongside 100 writes per second. */
async function benchThroughput(): Promise<void> {
  const server = await run(1, '0')
  const receiver = await receive()
  const hook = await subscribe(server, 0, receiver.url)
  await setActive(server, 0, hook, false)
  for (let n = 0; n < 500 * seconds; n += 20) await Promise.all(Array.from({ length: 20 }, () => write(server, 0)))
  const cpu = server.cpuSeconds()
  await setActive(server, 0, hook, true)
  const begin = performance.now()
  const timer = setInterval(() => void write(server, 0), 10)
  await delay(seconds * 1_000)
  clearInterval(timer)
  const passed = (performance.now() - begin) / 1_000
  const share = (server.cpuSeconds() - cpu) / passed
  console.log(
    `Deliveries from a backlog with 100 writes/s, server on one core: ${(receiver.arrived.length / passed).toFixed(0)}/s, ${(100 * share).toFixed(0)} % of the core\n`,
  )
  receiver.close()
  await server.close()
}

/** A thousand webhooks of 50 companies, with and without a tenth of them dead. */
async function benchMany(): Promise<void> {
  for (const isDead of [false, true]) {
    const server = await run(companies)
    const receiver = await receive()
    const dead = await hang()
    for (let company = 0; company < companies; company++) {
      for (let n = 0; n < webhooksPerCompany; n++) {
        await subscribe(server, company, `${isDead && n % deadEvery === 0 ? dead.url : receiver.url}/${n}`)
      }
    }
    const live = webhooksPerCompany - (isDead ? webhooksPerCompany / deadEvery : 0)
    const deliver = async (changes: number) => {
      const [begin, before] = [performance.now(), receiver.arrived.length]
      for (let n = 0; n < changes; n++) await write(server, n % companies)
      while (receiver.arrived.length < before + changes * live) await delay(5)
      return (performance.now() - begin) / 1_000
    }
    const first = await deliver(companies)
    const changes = 200
    const rate = (changes * live) / (await deliver(changes))
    console.log(
      `1,000 webhooks, ${isDead ? 'a tenth' : 'none'} of them dead: the first delivery to all live ones takes ${first.toFixed(1)} s; then ${rate.toFixed(0)} deliveries/s`,
    )
    receiver.close()
    dead.close()
    await server.close()
  }
  console.log()
}

async function run(count: number, cores = allCores): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const keys = await withStore(
    data,
    async (store) => {
      const made: string[] = []
      for (let n = 0; n < count; n++) {
        const key = await store.writeAccess((tx) => {
          const { id } = createCompany(tx, { name: `Company ${n}`, plan: 'enterprise' })
          return insertKey(tx, { companyId: id, environment: 'live', name: 'Bench', scopes: ['admin:all'] }).key
        })
        made.push(key)
      }
      return made
    },
    { create: true },
  )
  const options = ['serve', '--data', data, '--port', '0', '--webhook-allow', '127.0.0.1']
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off' }
  const { child, first } = await start(cores, [process.execPath, bundle, ...options], env)
  return {
    url: first.url,
    keys,
    cpuSeconds: () => cpuSeconds(child),
    async close() {
      await stop(child)
      rmSync(data, { recursive: true })
    },
  }
}

function headersOf(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
}

async function send({ url, keys }: Running, company: number, method: string, path: string, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${url}${path}`, { method, headers: headersOf(keys[company]!), body: text })
  const { data } = (await response.json()) as { data: { id: string } }
  if (!data) throw new Error(`${method} ${path}: ${response.status}`)
  return data
}

const write = (server: Running, company: number) =>
  send(server, company, 'POST', '/api-v1-organizations', organizationBody)

async function subscribe(server: Running, company: number, url: string): Promise<string> {
  return (await send(server, company, 'POST', '/api-v1-webhooks', { url, events: ['*'] })).id
}

function setActive(server: Running, company: number, id: string, is_active: boolean) {
  return send(server, company, 'PATCH', `/api-v1-webhooks/${id}`, { is_active })
}

async function receive(): Promise<{ url: string; arrived: Arrived[]; close(): void }> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    arrived.push({ seq: Number(request.headers['webhook-id']?.toString().split('_').at(-1)), atMs: performance.now() })
    request.resume().on('end', () => response.writeHead(204).end())
  })
  return { arrived, ...(await open(server)) }
}

/** A receiver that never responds. */
async function hang(): Promise<{ url: string; close(): void }> {
  return open(createServer((request) => void request.resume()))
}

async function open(server: Server): Promise<{ url: string; close(): void }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
