import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertKey } from '../../src/access/key.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { fillHeavy, type HeavyIds } from '../http/heavy/company.ts'
import { type HeavyRequest, heavyRequestsOf, heavyRoutes } from '../http/heavy/requests.ts'
import { hostileMails } from '../mail/hostile-mails.ts'
import { newAddress } from './mails.ts'
import { bundle, start, stop } from './processes.ts'

const size = { many: Number(process.env.BENCH_RECORDS ?? 6_000), large: 200 }
/** How often each request is sent, on so many connections. */
const [times, connections] = [16, 8]
const probePort = 9_123
const pauseMs = 2
const idleMs = 3_000
/** BENCH_ONLY=mail measures only requests whose name contains it. */
const only = process.env.BENCH_ONLY ?? ''

interface Row {
  route: string
  target: string
  status: number
  blockMs: number
  waitMs: number
}

/**
 * For each route: the longest block of the event loop, and how long another company's GET waits, while its largest requests are served. The same
 * for each hostile mail.
 */
export async function benchStalls(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const { heavyKey, otherKey, ids } = await fill(data)
  const probe = new URL('loop-probe.mjs', import.meta.url).pathname
  const command: [string, ...string[]] = [
    process.execPath,
    '--import',
    probe,
    bundle,
    'serve',
    '--data',
    data,
    '--port',
    '0',
    '--mail-domain',
    'in.example.com',
  ]
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off', LOOP_PROBE_PORT: String(probePort) }
  const { child, first } = await start(`0-${availableParallelism() - 1}`, command, env)
  const heavy = new Sender(first.url, heavyKey)
  const other = new Sender(first.url, otherKey)
  await waitsDuring(other, pause(idleMs))
  const idle = await waitsDuring(other, pause(idleMs))
  const idleMax = Math.max(...idle)
  const allowed = Math.max(300, 20 * idleMax)
  const rows: Row[] = []
  const requests = heavyRoutes.flatMap((route) => heavyRequestsOf(route, ids) ?? [])
  const mails = hostileRequests(await newAddress(first.url!, heavyKey))
  for (const each of [...requests, ...mails]) {
    if (each.route.includes(only)) rows.push(await measure(each, heavy, other))
  }
  rows.sort((a, b) => b.waitMs - a.waitMs)
  console.log(`Another company's GET, idle: at most ${idleMax.toFixed(1)} ms\n`)
  console.log('| request | status | longest block ms | longest wait of another company ms |')
  console.log('| --- | ---: | ---: | ---: |')
  for (const { route, target, status, blockMs, waitMs } of rows) {
    const query = target.includes('?') ? target.slice(target.indexOf('?')) : ''
    console.log(
      `| ${route.replace(/[^ -{}~]/g, '·')} ${query} | ${status} | ${blockMs.toFixed(0)} | ${waitMs.toFixed(0)} |`,
    )
  }
  const late = rows.filter(({ waitMs }) => waitMs > allowed)
  console.log(`\n${late.length} of ${rows.length} made another company wait for more than ${allowed.toFixed(0)} ms\n`)
  await stop(child)
  rmSync(data, { recursive: true })
}

function fill(data: string): Promise<{ heavyKey: string; otherKey: string; ids: HeavyIds }> {
  return withStore(
    data,
    async (store) => {
      const make = (name: string) =>
        store.writeAccess((tx) => {
          const { id } = createCompany(tx, { name, plan: 'enterprise' })
          return { id, key: insertKey(tx, { companyId: id, environment: 'live', name, scopes: ['admin:all'] }).key }
        })
      const [heavy, other] = [await make('Heavy'), await make('Other')]
      return { heavyKey: heavy.key, otherKey: other.key, ids: await fillHeavy(store, heavy.id, size) }
    },
    { create: true },
  )
}

function hostileRequests(address: string): HeavyRequest[] {
  const target = `/api-v1-messages?address=${address}`
  const all = Array.from(hostileMails())
  return all.map(({ name, raw }) => ({
    route: `mail: ${name}`,
    method: 'POST',
    target,
    body: Buffer.from(raw as string),
  }))
}

async function measure(each: HeavyRequest, heavy: Sender, other: Sender): Promise<Row> {
  await longestBlock()
  let status = 0
  const isMail = Buffer.isBuffer(each.body)
  const isOnce = isMail || (each.method !== 'GET' && !JSON.stringify(each.body ?? {}).includes('"dry_run":true'))
  const sending = async () => {
    for (let n = 0; n < (isOnce ? 1 : times / connections); n++) {
      status = await heavy.send(each.method, each.target, each.body)
    }
  }
  const waits = await waitsDuring(other, Promise.all(Array.from({ length: isOnce ? 1 : connections }, sending)))
  const { route, target } = each
  return { route, target, status, blockMs: await longestBlock(), waitMs: Math.max(...waits) }
}

/** How long another company's GETs take until `done` resolves, in milliseconds. */
async function waitsDuring(other: Sender, done: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isDone = false
  const end = done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const begun = performance.now()
    await other.send('GET', '/api-v1-organizations?limit=1')
    waits.push(performance.now() - begun)
    await pause(pauseMs)
  }
  await end
  return waits
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function longestBlock(): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${probePort}`)).text())
}

/** Sends requests with a key, and discards the bodies of the responses. */
class Sender {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  /** Resolves with the status when the response has ended; 0: the connection has failed. */
  send(method: string, target: string, body?: unknown): Promise<number> {
    const isMail = Buffer.isBuffer(body)
    const text = isMail ? body : body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      ...(text !== undefined && {
        'Content-Type': isMail ? 'message/rfc822' : 'application/json',
        'Content-Length': Buffer.byteLength(text),
      }),
    }
    return new Promise((resolve) => {
      const sent = request(`${this.#url}${encodeURI(target)}`, { method, headers, agent: this.#agent }, (res) => {
        res.on('end', () => resolve(res.statusCode!))
        res.on('error', () => resolve(0))
        res.resume()
      })
      sent.on('error', () => resolve(0))
      sent.end(text)
    })
  }
}
