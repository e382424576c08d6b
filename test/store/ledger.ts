import assert from 'node:assert/strict'
import type { Resource } from '../../src/engine/records/define.ts'
import { mergeable, routes } from '../../src/features/index.ts'
import { pathNamer } from '../../src/http/router.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { uniqueKey } from '../support/fields.ts'
import type { JsonRecord } from '../support/make.ts'
import type { Random } from '../support/random.ts'
import { type Job, type Receipt, send, verifyJob, verifyReceipt } from './ledger-receipts.ts'
import { eachOf, hasSameFields, readReferences, stateOf } from './ledger-records.ts'
import {
  type Change,
  drawChange,
  drawCreate,
  drawMerge,
  drawSubmit,
  drawTrashed,
  drawUndo,
  textFieldOf,
  type Writing,
} from './ledger-requests.ts'
import { type Acknowledged, assertLogged, attempt, LogWatch } from './log-watch.ts'

interface Entry {
  resource: Resource
  /** The record in the last response; undefined: deleted. */
  record: JsonRecord | undefined
  /** The record in the trash. */
  trashed?: JsonRecord | undefined
  /** The last request that changed it, and the record before, if the request can be undone. */
  undoable?: { requestId: string; before: JsonRecord } | undefined
  /** The possible states as JSON: the last acknowledged one, and those of later requests without a response. */
  states: string[]
}

/** A change that leads back to an earlier state of a record. */
interface ChangeBack extends Change {
  entry: Entry
  id: string
}

/** What the log must have of a write. */
type Expected = Pick<Acknowledged, 'recordId' | 'changes' | 'type'>

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
  /** Whether a record has been erased since the last verification, and with it stored responses. */
  #hasErased = false
  readonly #log = new LogWatch()
  /** The acknowledged writes since the last verification, in the order of their acknowledgements. */
  #logged: Acknowledged[] = []
  /** The requests that had no effect, because an earlier one with the same idempotency key had it. */
  readonly #repeated = new Set<string>()
  #touched = new Set<string>()
  #written = 0

  /** Writes until the server is gone: creates records, changes them, imports. Half of the POSTs have an idempotency key. */
  async write(client: Client, random: Random): Promise<void> {
    const own: string[] = []
    const references = await readReferences(client)
    for (let running = references !== undefined; running && references; ) {
      const id = own.length > 0 && random.below(3) > 0 ? random.pick(own) : undefined
      const other = id && random.below(10) === 0 ? this.#mergeable(id, own) : undefined
      if (id && other) running = await this.#merge(client, random, id, other)
      else if (id) running = await this.#change(client, random, id, references)
      else if (random.below(20) === 0) running = await this.#import(client, random)
      else running = await this.#create(client, random, own)
    }
  }

  /** Reads the log of changes until the server is gone. */
  follow(client: Client): Promise<void> {
    return this.#log.follow(client)
  }

  /** Fails unless every record written since the last call, or with `all` every record, is as acknowledged, and the log has each write. */
  async verify(client: Client, { all = false } = {}): Promise<void> {
    const ids = [...(all ? this.#entries.keys() : this.#touched)]
    this.#touched = new Set()
    await eachOf(ids, (id) => this.#verifyRecord(client, id))
    await eachOf([...this.#receipts], async ([key, receipt]) => {
      this.#repeated.add(await verifyReceipt(client, key, receipt, this.#hasErased))
    })
    this.#receipts.clear()
    this.#hasErased = false
    await eachOf([...this.#jobs], ([path, job]) => verifyJob(client, path, job))
    this.#jobs.clear()
    const log = await this.#log.verify(client, all)
    assertLogged(log, this.#logged)
    assert.ok(!log.some(({ request_id }) => this.#repeated.has(request_id)), 'a repeated request has no effect')
    this.#logged = []
  }

  async #create(client: Client, random: Random, own: string[]): Promise<boolean> {
    const { resource, ...writing } = drawCreate(random, ++this.#written)
    const expected = ({ body }: ApiResponse) => ({
      recordId: body.data.id,
      changes: 1,
      type: `${resource.name}.created`,
    })
    const response = await this.#send(client, random, writing, expected)
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
    const { resource, record, trashed, undoable } = entry
    if (trashed) return this.#changeBack(client, random, { entry, id, ...drawTrashed(random, trashed) })
    if (undoable && random.below(6) === 0) {
      return this.#changeBack(client, random, { entry, id, ...drawUndo(undoable) })
    }
    const change = record && drawChange(random, resource, record, ++this.#written, references)
    if (!change) return true
    const { after, ...writing } = change
    const state = stateOf(resource, after)
    entry.states.push(state)
    this.#touched.add(id)
    const expected = ({ body }: ApiResponse) => {
      const isSame = stateOf(resource, record) === state && hasSameFields(resource, record, body.data)
      return { recordId: id, changes: isSame ? 0 : 1 }
    }
    const response = await this.#send(client, random, writing, expected)
    if (!response) return false
    entry.record = after && response.body.data.id ? response.body.data : after
    entry.states = [state]
    if (!after && resource.operations.includes('delete')) entry.trashed = record
    const isPatch = writing.path === `/${resource.path}/${id}` && after && !resource.storage
    entry.undoable = isPatch ? { requestId: response.headers.get('x-request-id')!, before: record } : undefined
    return true
  }

  /** Another record that the record can be merged with, and later be restored: it keeps its unique value. */
  #mergeable(id: string, own: readonly string[]): string | undefined {
    const { resource, record } = this.#entries.get(id)!
    if (!record || !mergeable.includes(resource)) return undefined
    return own.find((each) => {
      const other = this.#entries.get(each)!
      if (each === id || other.resource !== resource || !other.record) return false
      return other.record.metadata[uniqueKey] === undefined || record.metadata[uniqueKey] !== undefined
    })
  }

  async #merge(client: Client, random: Random, id: string, otherId: string): Promise<boolean> {
    this.#written++
    const [entry, other] = [this.#entries.get(id)!, this.#entries.get(otherId)!]
    const { resource, record } = entry
    const merged = other.record
    const { after, ...writing } = drawMerge(resource, record, merged)
    const state = stateOf(resource, after)
    entry.states.push(state)
    other.states.push(stateOf(resource, undefined))
    for (const each of [id, otherId]) this.#touched.add(each)
    const type = `${resource.name}.merged`
    const response = await this.#send(client, random, writing, () => ({ recordId: id, changes: 1, type }))
    if (!response) return false
    Object.assign(entry, { record: response.body.data, states: [state], undoable: undefined })
    Object.assign(other, {
      record: undefined,
      trashed: merged,
      states: [stateOf(resource, undefined)],
      undoable: undefined,
    })
    return true
  }

  /** Restores a deleted record, erases it, or undoes its last change. */
  async #changeBack(client: Client, random: Random, { entry, id, after, ...writing }: ChangeBack): Promise<boolean> {
    this.#written++
    const state = stateOf(entry.resource, after)
    entry.states.push(state)
    this.#touched.add(id)
    if (!after) this.#hasErased = true
    const response = await this.#send(client, random, writing, () => ({ recordId: id, changes: 1 }))
    if (!response) return false
    const record = after && (response.body.data.id ? response.body.data : after)
    Object.assign(entry, { trashed: undefined, undoable: undefined, record, states: [state] })
    return true
  }

  async #import(client: Client, random: Random): Promise<boolean> {
    const { resource, distinct, ...writing } = drawSubmit(random, ++this.#written)
    const jobOf = ({ headers }: ApiResponse) => headers.get('location')!.split('/').at(-1)!
    const expected = (response: ApiResponse) => ({ recordId: jobOf(response), changes: 1, type: 'bulk_job.created' })
    const response = await this.#send(client, random, writing, expected)
    if (!response) return false
    const records = writing.body!.records as JsonRecord[]
    const requestId = response.headers.get('x-request-id')!
    const text = records[0][textFieldOf(resource)]
    const job: Job = { resource, text, total: records.length, distinct, requestId, cancelled: false }
    const path = response.headers.get('location')!
    this.#jobs.set(path, job)
    if (random.below(2) === 0) return true
    job.cancelled = undefined
    const ends = () => ({ recordId: jobOf(response), changes: 1, type: 'bulk_job.failed' })
    const cancelled = await this.#send(client, random, { method: 'DELETE', path, status: 200 }, ends, 409)
    job.cancelled = cancelled && cancelled.status === 200
    return cancelled !== undefined
  }

  /** Undefined if the server is gone. `refused` is a further expected status, which acknowledges nothing. */
  async #send(
    client: Client,
    random: Random,
    writing: Writing,
    expected: (response: ApiResponse) => Expected,
    refused?: number,
  ): Promise<ApiResponse | undefined> {
    const { method, path, body, status } = writing
    const begun = this.#logged.length
    const key = method === 'POST' && random.below(2) === 0 ? `again-${this.#written}` : undefined
    const response = await attempt(send(client, writing, key))
    if (!response || response.status === refused) return response
    assert.equal(response.status, status, `${method} ${path} ${JSON.stringify([body, response.body])}`)
    this.#logged.push({ ...expected(response), requestId: response.headers.get('x-request-id')!, begun })
    this.acknowledged++
    this.routes.add(`${method} ${nameRoute(path.split('?')[0]!)}`)
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
