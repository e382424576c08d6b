import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { changedAt, exampleId, exampleRecord, madeAt } from '../../src/engine/api/openapi/examples.ts'
import { matchable, mergeable, resources } from '../../src/features/index.ts'
import type { Operation } from '../../src/http/openapi/operation.ts'
import { type Agent, agentFor } from '../mcp/agent.ts'
import type { Client } from '../support/client.ts'
import { clear } from '../support/contract.ts'
import { document } from '../support/described.ts'
import { declareUnique } from '../support/fields.ts'
import { variantOf } from '../support/make.ts'
import type { Server } from '../support/start.ts'
import { newColleague, type Visitor } from '../support/visitor.ts'

// biome-ignore lint/suspicious/noExplicitAny: examples are JSON of every shape
type Json = any

/** The example of an operation: a request and its response. */
export interface Exemplified {
  id: string
  method: string
  path: string
  query: Record<string, string>
  params: Record<string, string>
  body: Json
  status: number
  response: Json
  /** Whether only a signed-in user may send it. */
  onlyUsers: boolean
}

/** In the order of the document. */
export const examples: Exemplified[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) => exampleOf(method.toUpperCase(), path, operation)),
)

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const secret = /^(?:svc_live_|whsec_)\S+$/
/** Members that depend on earlier requests (decisions A9, A13). */
const dependsOnUse = [
  ...['last_used_at', 'last_used_ip', 'request_count', 'usage'],
  ...['seq', 'cursor', 'latest_seq', 'oldest_seq', 'log_id'],
]

interface Company {
  client: Client
  signIn: () => Promise<Visitor>
  /** An agent that proposes what it would change. */
  agent: Agent
  /** Processes what is queued. */
  runJobs?: () => Promise<void>
}

/** A company in which the example records are created when an example needs them. */
export class ExampleWorld {
  readonly client: Client
  readonly signIn: () => Promise<Visitor>
  readonly #agent: Agent
  readonly #made = new Map<string, string>()
  readonly #runJobs: () => Promise<void>
  #cleared: Promise<unknown> | undefined

  constructor({ client, signIn, agent, runJobs = async () => {} }: Company) {
    this.client = client
    this.signIn = signIn
    this.#agent = agent
    this.#runJobs = runJobs
  }

  /** Creates a company on a server. */
  static async create(server: Server, runJobs?: () => Promise<void>): Promise<ExampleWorld> {
    const { id, client } = await server.company('Acme')
    const signIn = () => newColleague(server, 'owner', `${randomUUID()}@acme.example`, id)
    const agent = agentFor({
      ...{ url: server.url, key: client.key, client: { name: 'claude-code', version: '3.1.0' } },
      headers: { 'Kontor-Mcp-Mode': 'propose' },
    })
    return new ExampleWorld({ client, signIn, agent, ...(runJobs && { runJobs }) })
  }

  /** Replaces the ids of example records in a text by those of real records, which are created as needed. */
  async realText(text: string): Promise<string> {
    await this.#clearStages()
    const ids = new Set(text.match(new RegExp(uuid.source.slice(1, -1), 'g')))
    let real = text
    for (const id of ids) real = real.replaceAll(id, await this.#realId(id))
    return real
  }

  /** Sends the example request. Fails unless the response is that of the example, except for ids, times and keys. */
  async run(example: Exemplified): Promise<void> {
    await this.#clearStages()
    if (/^(list|search)/.test(example.id) || Array.isArray(example.response)) await this.#realize(example.response)
    await this.prepare(example)
    const { status, body } = await this.#send(example)
    assert.equal(status, example.status, JSON.stringify(body))
    const isLines = typeof body === 'string' && typeof example.response !== 'string'
    this.#compare(example.response, isLines ? valuesOf(body) : body, '')
  }

  /** Deletes the default stages, so that the example stage is the first one. */
  #clearStages(): Promise<unknown> {
    this.#cleared ??= clear(this.client, resources.find(({ name }) => name === 'stage')!)
    return this.#cleared
  }

  /** Makes what a request needs: for the trash a deleted record, for a summary the record that it counts, for results a job that has ended, for a PUT the unique field. */
  async prepare({ method, path }: Pick<Exemplified, 'method' | 'path'>): Promise<void> {
    if (method === 'PUT') {
      const of = matchable.filter(({ path: each, matchedBy }) => path.includes(each) && matchedBy.length === 0)
      await declareUnique(this.client, of)
    }
    const summarized = resources.find((each) => path.endsWith(`/${each.path}/summary`))
    if (summarized) await this.#realId(exampleId(summarized.name))
    if (path.endsWith('/results')) {
      await this.#realId(exampleId('bulk_job'))
      await this.#runJobs()
    }
    if (!path.includes('/api-v1-trash')) return
    await this.client.delete(`/api-v1-organizations/${await this.#realId(exampleId('organization'))}`)
  }

  /** The id of the request that created the example organization. */
  async #creatingRequest(): Promise<string> {
    const id = await this.#realId(exampleId('organization'))
    const { body } = await this.client.get(`/api-v1-changes?record_id=${id}&limit=1`)
    return body.data[0].request_id
  }

  async #send({ method, path, params, query, body, onlyUsers }: Exemplified) {
    const ids = await this.#realize(params)
    const sent = await this.#realize(body)
    const url = `${path.replace(/\{(\w+)\}/g, (_, name) => ids[name])}?${new URLSearchParams(await this.#realize(query))}`
    if (onlyUsers) return (await this.signIn()).post(url, sent)
    if (typeof sent === 'string') return this.client.request(method, url, { body: sent }) // a file, as text/plain
    return this.client.request(method, url.replace(/\?$/, ''), {
      ...(sent !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent) }),
    })
  }

  /** Replaces example ids by those of real records, which are created with the records that they need. */
  async #realize(value: Json): Promise<Json> {
    if (typeof value === 'string') return uuid.test(value) ? this.#realId(value) : value
    if (Array.isArray(value)) {
      const items: Json[] = []
      for (const each of value) items.push(await this.#realize(each))
      return items
    }
    if (typeof value !== 'object' || value === null) return value
    const entries: [string, Json][] = []
    for (const [key, each] of Object.entries(value)) entries.push([key, await this.#realize(each)])
    return Object.fromEntries(entries)
  }

  async #realId(id: string): Promise<string> {
    if (!this.#made.has(id)) await this.#make(id)
    return this.#made.get(id) ?? id
  }

  async #make(id: string): Promise<void> {
    const user = resources.find(({ name }) => name === 'user')!
    if (id === exampleId('user')) {
      this.#made.set(id, await this.client.addUser(exampleRecord(user)))
      return
    }
    if (id === exampleId('request')) {
      this.#made.set(id, await this.#creatingRequest())
      return
    }
    if (id === exampleId('proposal')) {
      const values = { job_title: 'Managing director' }
      const given = { type: 'contact', id: await this.#realId(exampleId('contact')), values }
      this.#made.set(id, (await this.#agent.use('save_record', given)).proposal.id)
      return
    }
    const other = mergeable.find(({ name }) => id === exampleId(`other ${name}`))
    if (other) {
      const original = examples.find(({ path, method }) => method === 'POST' && path === `/${other.path}`)!
      await this.#realId(exampleId(other.name))
      const body = { ...original.body }
      if (other.unique) body[other.unique] = variantOf(body[other.unique], 2, other.fields[other.unique]!.shape.pattern)
      if (body.is_primary) body.is_primary = false
      this.#made.set(id, (await this.#send({ ...original, body })).body.data.id)
      return
    }
    const maker = examples.find(({ method, response }) => method === 'POST' && holdsId(response?.data, id))
    if (maker) this.#compare(maker.response, (await this.#send(maker)).body, maker.id)
  }

  /** Ids may differ, but consistently; times that the server sets and keys may differ, too. */
  #compare(expected: Json, actual: Json, at: string): void {
    if (typeof expected === 'string' && uuid.test(expected)) {
      assert.match(String(actual), uuid, at)
      assert.equal(this.#made.get(expected) ?? actual, actual, at)
      this.#made.set(expected, actual)
    } else if (typeof expected !== 'object' || expected === null) {
      const free = [madeAt, changedAt].includes(expected) ? moment : secret.test(expected) ? secret : undefined
      if (free) assert.match(String(actual), free, at)
      else assert.equal(actual, expected, at)
    } else {
      assert.deepEqual(Object.keys(actual ?? {}).sort(), Object.keys(expected).sort(), at)
      for (const [key, each] of Object.entries(expected)) {
        if (dependsOnUse.includes(key)) assert.ok([typeof each, 'string'].includes(typeof actual[key]), `${at}.${key}`)
        else this.#compare(each, actual[key], `${at}.${key}`)
      }
    }
  }
}

function exampleOf(method: string, path: string, operation: Operation): Exemplified[] {
  const { operationId, parameters, requestBody, responses, security } = operation as Json
  const hasExample = (each: Json) =>
    Object.values<Json>(each.content ?? {}).some(({ example }) => example !== undefined)
  const [status, success] = Object.entries<Json>(responses).find(([, each]) => hasExample(each)) ?? []
  if (!success) return []
  const given = (place: string) =>
    parameters
      .filter((each: Json) => each.in === place && 'example' in each)
      .map((each: Json) => [each.name, each.example])
  const lines = success.content['application/x-ndjson']?.example
  const only = success.content['application/json'] ?? Object.values<Json>(success.content)[0]
  const response = lines === undefined ? only?.example : valuesOf(lines)
  if (response === undefined) return []
  return [
    {
      ...{ id: operationId, method, path, status: Number(status), response },
      onlyUsers: security.some((scheme: object) => 'session' in scheme),
      query: Object.fromEntries(given('query')),
      params: Object.fromEntries(given('path')),
      body: (requestBody?.content['application/json'] ?? requestBody?.content['*/*'])?.example,
    },
  ]
}

/** The values of lines of JSON. */
function valuesOf(lines: string): Json[] {
  return JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`)
}

/** Whether the id is that of the record or one of its items. */
function holdsId(record: Json, id: string): boolean {
  if (typeof record !== 'object' || record === null) return false
  return (
    record.id === id ||
    record.job_id === id ||
    Object.values(record).some((each) => Array.isArray(each) && each.some((item) => item?.id === id))
  )
}
