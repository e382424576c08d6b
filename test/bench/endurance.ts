import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Resource } from '../../src/engine/records/define.ts'
import { drawChange, drawCreate, drawSubmit, textFieldOf, type Writing, written } from '../store/ledger-requests.ts'
import type { JsonRecord } from '../support/make.ts'
import { type Random, randomOf } from '../support/random.ts'
import { TimedClient } from './client.ts'
import { kontor, residentMiB, serving, start, stop } from './processes.ts'

/** The number of requests that forty users with dashboards and integrations may send in an hour. */
const requests = Number(process.env.BENCH_REQUESTS ?? 200_000)
const growthMax = 1.2
const clients = 16
const rememberedMax = 200
/** One request in this many submits an import. */
const importEvery = 500

interface Known {
  resource: Resource
  record: JsonRecord
}

/** A client with the records that it has created and may refer to. */
interface Caller {
  client: TimedClient
  random: Random
  own: Known[]
  references: Record<string, readonly string[]>
}

/** Throws if memory grows during an hour of mixed load: reads, lists, searches, writes of every kind, keys, imports. */
export async function benchEndurance(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const company = kontor('company', 'create', '--data', data, '--name', 'Bench', '--plan', 'enterprise')
  const of = ['--data', data, '--company', company.id!]
  const { key } = kontor('key', 'create', ...of, '--name', 'Bench', '--scopes', 'admin:all')
  const command = serving(data)
  const { child, first } = await start('0-1', command, { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off' })
  const memory: number[] = []
  const began = performance.now()
  await load(first.url, key!, (count) => {
    if (count % (requests / 10) === 0) memory.push(residentMiB(child))
  })
  const seconds = (performance.now() - began) / 1000
  await stop(child)
  rmSync(data, { recursive: true })
  const growth = memory.at(-1)! / memory[0]!
  console.log('| requests | seconds | resident memory at each tenth, MiB | last to first | at most |')
  console.log('| ---: | ---: | --- | ---: | ---: |')
  const tenths = memory.map((each) => each.toFixed(0)).join(' ')
  console.log(`| ${requests} | ${seconds.toFixed(0)} | ${tenths} | ${growth.toFixed(2)} | ${growthMax} |\n`)
  if (growth > growthMax) throw new Error(`Memory grew to ${growth.toFixed(2)} of what it was after the first tenth`)
}

async function load(url: string, key: string, onResponse: (count: number) => void): Promise<void> {
  let asked = 0
  const call = async (_: unknown, number: number) => {
    const client = new TimedClient(url, key)
    const stages = JSON.parse((await client.ask('/api-v1-stages?limit=5')).text).data
    const references = { stage: stages.map(({ id }: JsonRecord) => id) }
    const caller: Caller = { client, random: randomOf(number), own: [], references }
    while (asked < requests) {
      const number = ++asked
      await askOnce(caller, number)
      onResponse(number)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, call))
}

async function askOnce(caller: Caller, number: number): Promise<void> {
  const { client, random, own } = caller
  const kind = random.below(10)
  if (number % importEvery === 0) await send(client, drawSubmit(random, number))
  else if (own.length === 0 || kind === 0) await create(caller, number)
  else if (kind < 4) await change(caller, number)
  else await client.ask(drawRead(random, random.pick(own)))
}

async function create({ client, random, own }: Caller, number: number): Promise<void> {
  const { resource, ...writing } = drawCreate(random, number)
  const known = { resource, record: await send(client, writing) }
  if (own.length < rememberedMax) own.push(known)
  else own[random.below(rememberedMax)] = known
}

async function change({ client, random, own, references }: Caller, number: number): Promise<void> {
  const known = random.pick(own)
  const change = drawChange(random, known.resource, known.record, number, references)
  if (!change) return
  const { after, ...writing } = change
  const created = await send(client, writing)
  if (after) known.record = created.id ? created : after
  else own.splice(own.indexOf(known), 1)
}

/** Reads one record or a list: searched, filtered, sorted, page by page. */
function drawRead(random: Random, { resource, record }: Known): string {
  const { path, sorts, relations, collections } = random.below(3) > 0 ? resource : random.pick(written)
  const text = textFieldOf(resource)
  const include = [...Object.keys(relations), ...Object.keys(collections)].join(',')
  return random.pick([
    () => `/${resource.path}/${record.id}`,
    () => `/${resource.path}?${text}[like]=${encodeURIComponent(String(record[text]).slice(-4))}`,
    () => `/${path}?limit=50&sort=-${random.pick(sorts)}${include && `&include=${include}`}`,
    () => `/${path}?page=${1 + random.below(9)}&per_page=25`,
    () => '/api-v1-bulk/jobs',
    () => '/api-v1-me',
  ])()
}

async function send(client: TimedClient, { method, path, body }: Writing): Promise<JsonRecord> {
  const { text } = await client.ask(path, method, body && JSON.stringify(body))
  return JSON.parse(text).data
}
