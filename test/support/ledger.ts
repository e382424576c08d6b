import assert from 'node:assert/strict'
import { routes } from '../../src/crm/index.ts'
import type { Resource } from '../../src/engine/definition/define.ts'
import { pathNamer } from '../../src/http/router.ts'
import type { ApiResponse, Client } from './client.ts'
import { ConnectionError } from './exchange.ts'
import { ended } from './imports.ts'
import { drawChange, drawCreate, drawSubmit, factsOf, textFieldOf, type Writing, written } from './ledger-requests.ts'
import type { JsonRecord } from './make.ts'
import type { Random } from './random.ts'

interface Entry {
  resource: Resource
  /** The record in the last response; undefined: deleted. */
  record: JsonRecord | undefined
  /** The possible states as JSON: the last acknowledged one, and those of later requests without a response. */
  states: string[]
}

interface Job {
  resource: Resource
  text: string
  total: number
  /** Undefined: the request had no response. */
  cancelled: boolean | undefined
}

interface Receipt extends Writing {
  /** The response as it was first received. */
  response: unknown
}

const gone = 'deleted'
const nameRoute = pathNamer(routes)

/** Records what a server has acknowledged, and verifies it later. */
export class Ledger {
  acknowledged = 0
  /** The acknowledged routes, such as `POST /path`. */
  readonly routes = new Set<string>()
  readonly #entries = new Map<string, Entry>()
  /** The submitted jobs, by path. */
  readonly #jobs = new Map<string, Job>()
  /** The stored responses, by idempotency key. */
  readonly #receipts = new Map<string, Receipt>()
  #touched = new Set<string>()
  #written = 0

  /** Writes until the server is gone: creates records, changes them, imports. Half of the POSTs have an idempotency key. */
  async write(client: Client, random: Random): Promise<void> {
    const own: string[] = []
    const references = await readReferences(client)
    for (let running = references !== undefined; running && references; ) {
      const id = own.length > 0 && random.below(3) > 0 ? random.pick(own) : undefined
      if (id) running = await this.#change(client, random, id, references)
      else if (random.below(20) === 0) running = await this.#import(client, random)
      else running = await this.#create(client, random, own)
    }
  }

  /** Fails unless every record written since the last call, or with `all` every record, is as acknowledged. */
  async verify(client: Client, { all = false } = {}): Promise<void> {
    const ids = [...(all ? this.#entries.keys() : this.#touched)]
    this.#touched = new Set()
    await eachOf(ids, (id) => this.#verifyRecord(client, id))
    await eachOf([...this.#receipts], ([key, receipt]) => verifyReceipt(client, key, receipt))
    this.#receipts.clear()
    await eachOf([...this.#jobs], ([path, job]) => verifyJob(client, path, job))
    this.#jobs.clear()
  }

  async #create(client: Client, random: Random, own: string[]): Promise<boolean> {
    const { resource, ...writing } = drawCreate(random, ++this.#written)
    const response = await this.#send(client, random, writing)
    if (!response) return false
    const record = response.body.data
    this.#entries.set(record.id, { resource, record, states: [stateOf(resource, record)] })
    this.#touched.add(record.id)
    own.push(record.id)
    return true
  }

  async #change(
    client: Client,
    random: Random,
    id: string,
    references: Record<string, readonly string[]>,
  ): Promise<boolean> {
    const entry = this.#entries.get(id)!
    const { resource, record } = entry
    const change = record && drawChange(random, resource, record, ++this.#written, references)
    if (!change) return true
    const { after, ...writing } = change
    const state = stateOf(resource, after)
    entry.states.push(state)
    this.#touched.add(id)
    const response = await this.#send(client, random, writing)
    if (!response) return false
    entry.record = after && response.body.data.id ? response.body.data : after
    entry.states = [state]
    return true
  }

  async #import(client: Client, random: Random): Promise<boolean> {
    const { resource, ...writing } = drawSubmit(random, ++this.#written)
    const response = await this.#send(client, random, writing)
    if (!response) return false
    const records = writing.body!.records as JsonRecord[]
    const job: Job = { resource, text: records[0][textFieldOf(resource)], total: records.length, cancelled: false }
    const path = response.headers.get('location')!
    this.#jobs.set(path, job)
    if (random.below(2) === 0) return true
    job.cancelled = undefined
    const cancelled = await this.#send(client, random, { method: 'DELETE', path, status: 200 }, 409)
    job.cancelled = cancelled && cancelled.status === 200
    return cancelled !== undefined
  }

  /** Undefined if the server is gone. `refused` is a further expected status, which acknowledges nothing. */
  async #send(client: Client, random: Random, writing: Writing, refused?: number): Promise<ApiResponse | undefined> {
    const { method, path, body, status } = writing
    const key = method === 'POST' && random.below(2) === 0 ? `again-${this.#written}` : undefined
    const response = await attempt(send(client, writing, key))
    if (!response || response.status === refused) return response
    assert.equal(response.status, status, `${method} ${path} ${JSON.stringify([body, response.body])}`)
    this.acknowledged++
    this.routes.add(`${method} ${nameRoute(path)}`)
    if (key) this.#receipts.set(key, { ...writing, response: response.body })
    return response
  }

  async #verifyRecord(client: Client, id: string): Promise<void> {
    const entry = this.#entries.get(id)!
    const { resource, states } = entry
    const { status, body } = await client.get(`/${resource.path}/${id}`)
    const found = stateOf(resource, status === 404 ? undefined : body.data)
    assert.ok(states.includes(found), `${resource.name} ${id} is ${found}, acknowledged was ${states.join(' or ')}`)
    entry.states = [found]
  }
}

function stateOf(resource: Resource, record: JsonRecord | undefined): string {
  return record ? JSON.stringify(factsOf(resource, record)) : gone
}

async function verifyReceipt(client: Client, key: string, receipt: Receipt): Promise<void> {
  const again = await send(client, receipt, key)
  const replayed = again.headers.get('idempotent-replayed')
  assert.deepEqual([again.status, again.body, replayed], [receipt.status, receipt.response, 'true'], receipt.path)
}

/** Fails unless the job ends and the records that it reports as imported exist. */
async function verifyJob(client: Client, path: string, { resource, text, total, cancelled }: Job): Promise<void> {
  const { status, total_records, successful_records } = await ended(client, path)
  const filter = `${textFieldOf(resource)}=${encodeURIComponent(text)}`
  const { body } = await client.get(`/${resource.path}?${filter}&limit=1`)
  assert.deepEqual([total_records, successful_records], [total, body.pagination.total], path)
  if (cancelled !== undefined) assert.equal(status, cancelled ? 'failed' : 'completed', path)
  if (status === 'completed') assert.equal(successful_records, total, path)
}

function send(client: Client, { method, path, body }: Writing, key?: string): Promise<ApiResponse> {
  const headers = {
    ...(body && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  }
  return client.request(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
}

/** The oldest records that actions can refer to, by resource: the default stages, which nothing deletes. Undefined if the server is gone. */
async function readReferences(client: Client): Promise<Record<string, readonly string[]> | undefined> {
  const targets = written.flatMap(({ actions, fields }) =>
    actions.flatMap(({ takes }) => fields[takes ?? '']?.target ?? []),
  )
  const references: Record<string, readonly string[]> = {}
  for (const { name, path } of targets) {
    const oldest = await attempt(client.get(`/${path}?sort=created_at:asc&limit=5`))
    if (!oldest) return undefined
    references[name] = oldest.body.data.map(({ id }: JsonRecord) => id)
  }
  return references
}

/** Undefined if the server is gone. */
async function attempt(sending: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof ConnectionError) return undefined
    throw error
  }
}

async function eachOf<T>(all: T[], run: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const work = async () => {
    for (const one of rest) await run(one)
  }
  await Promise.all(Array.from({ length: 16 }, work))
}
