import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Load, serverCore, stop } from '../processes.ts'
import { numbered } from '../served.ts'

export const installed = resolve(join(process.env.BENCH_PEERS ?? '.', 'node_modules'))
export const rows = Number(process.env.BENCH_ROWS ?? 10_000)
const sentAtOnce = 16
const startMsMax = 120_000
const statuses = ['lead', 'active', 'inactive', 'lost']

const large = 'create a contact with 16 fields and 2 emails'
export const requests = ['GET by id', 'list of 50', 'list by status, with total', 'create', large] as const
type Request = (typeof requests)[number]
type PeerLoad = Omit<Load, 'seconds'>
type Loads = Record<Exclude<Request, typeof large>, PeerLoad> & Partial<Record<Request, PeerLoad>>

export interface Peer {
  loads: Loads
  close(): Promise<void>
}

/** The endpoint of a product's organizations, and the function that wraps a body as the product requires. */
interface Collection {
  url: string
  headers: Record<string, string>
  wrap?: (organization: object) => object
}

export function loadsOf(
  { url, headers, wrap = (each) => each }: Collection,
  id: string,
  { list, filtered }: { list: string; filtered: string },
): Loads {
  const body = JSON.stringify(wrap(numbered('#')))
  return {
    'GET by id': { url: `${url}/${id}`, headers },
    'list of 50': { url: `${url}${list}`, headers },
    'list by status, with total': { url: `${url}${filtered}`, headers },
    create: { url, headers: { ...headers, 'Content-Type': 'application/json' }, method: 'POST', body },
  }
}

export const contactFields = {
  first_name: 'Ada',
  last_name: 'Weber #',
  job_title: 'Purchasing',
  consent_to_record: true,
}
/** What Kontor's contacts have no fields for. */
export const contactDetails = Object.fromEntries(
  'department,salutation,language,street,city,postal_code,country,website,birthday,source,segment,notes'
    .split(',')
    .map((name) => [name, `${name} of the contact`]),
)

/** A load that creates contacts. The items of `emails` are records of their own in Kontor, which checks that no other contact has them. */
export function contactLoad(url: string, headers: Record<string, string>, fields: object): Partial<Loads> {
  const emails = ['work', 'home'].map((type) => ({ email: `ada-#@${type}.example`, type }))
  const init = {
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, emails }),
  }
  return { [large]: { url, method: 'POST', ...init } }
}

/** Creates organizations over HTTP, several at once. The first `from` already exist. */
export async function fill({ url, headers, wrap = (each) => each }: Collection, from: number): Promise<void> {
  for (let at = from; at < rows; at += sentAtOnce)
    await Promise.all(organizationsFrom(at, sentAtOnce).map((each) => post(url, headers, wrap(each))))
}

/** The next `count` organizations from `from`, or all that are left. */
export function organizationsFrom(from: number, count: number) {
  return Array.from({ length: Math.min(count, rows - from) }, (_, more) => organizationAt(from + more))
}

export function organizationAt(at: number) {
  return { ...numbered(at), status: statuses[at % statuses.length] }
}

// biome-ignore lint/suspicious/noExplicitAny: each product has its own response format
export async function post(url: string, headers: Record<string, string>, body: object): Promise<any> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Starts a program. Resolves when `url` responds with 2xx. */
export async function launch(
  command: string[],
  url: string,
  { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ChildProcess> {
  const child = spawn('taskset', ['-c', String(serverCore), ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  for (const deadline = Date.now() + startMsMax; Date.now() < deadline && child.exitCode === null; await delay(100)) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return child
  }
  await stop(child)
  throw new Error(`${command[0]} does not respond at ${url}`)
}

export function closing(child: ChildProcess, directory: string): Peer['close'] {
  return async () => {
    await stop(child)
    rmSync(directory, { recursive: true })
  }
}
