import assert from 'node:assert/strict'
import { resources } from '../../src/crm/index.ts'
import type { Resource } from '../../src/engine/define.ts'
import type { Answer, Client } from './client.ts'
import { bodies } from './make.ts'
import type { Random } from './random.ts'

/** The text that tells one write from another. */
const textFields: Record<string, string> = {
  organization: 'name',
  contact: 'first_name',
  deal: 'title',
  task: 'title',
  activity: 'subject',
  api_key: 'name',
}
const deleted = 'deleted'

interface Entry {
  resource: Resource
  /** The text, or `deleted`: the last that was acknowledged, and what was asked for since without an answer. */
  states: string[]
}

interface Receipt {
  path: string
  body: Record<string, unknown>
  /** As it was answered. */
  answer: unknown
}

/** Remembers what a server has acknowledged, and holds it to that. */
export class Ledger {
  acknowledged = 0
  readonly #entries = new Map<string, Entry>()
  readonly #receipts = new Map<string, Receipt>()
  #touched = new Set<string>()
  #written = 0

  /** Writes one thing after the other until the server is gone: creates, half of them idempotent, changes and deletes of its own records. */
  async write(client: Client, random: Random): Promise<void> {
    const own: string[] = []
    const kinds = resources.filter(({ name }) => textFields[name] !== undefined)
    for (;;) {
      const id = own.length > 0 && random.below(3) > 0 ? random.pick(own) : undefined
      const done = id ? await this.#change(client, id, random) : await this.#create(client, random.pick(kinds), random)
      if (done === undefined) return
      this.acknowledged++
      if (!id) own.push(done)
    }
  }

  /** Every record touched since the last time, or with `all` every one ever, is as acknowledged. */
  async verify(client: Client, { all = false } = {}): Promise<void> {
    const ids = [...(all ? this.#entries.keys() : this.#touched)]
    this.#touched = new Set()
    await eachOf(ids, (id) => this.#verifyRecord(client, id))
    await eachOf([...this.#receipts], ([key, receipt]) => verifyReceipt(client, key, receipt))
    this.#receipts.clear()
  }

  async #create(client: Client, resource: Resource, random: Random): Promise<string | undefined> {
    const [path, text] = [`/${resource.path}`, this.#nextText()]
    const body = { ...bodies[resource.name]!(), [textFields[resource.name]!]: text }
    const key = random.below(2) === 0 ? text.replace(' ', '-') : undefined
    const answer = await attempt(client.post(path, body, key ? { 'Idempotency-Key': key } : {}))
    if (!answer) return undefined
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    const { id } = answer.body.data
    this.#entries.set(id, { resource, states: [text] })
    this.#touched.add(id)
    if (key) this.#receipts.set(key, { path, body, answer: answer.body })
    return id
  }

  async #change(client: Client, id: string, random: Random): Promise<string | undefined> {
    const entry = this.#entries.get(id)!
    const { path, operations, name } = entry.resource
    if (entry.states[0] === deleted || !operations.includes('patch')) return id
    const removing = operations.includes('delete') && random.below(8) === 0
    const state = removing ? deleted : this.#nextText()
    entry.states.push(state)
    this.#touched.add(id)
    const url = `/${path}/${id}`
    const answer = await attempt(removing ? client.delete(url) : client.patch(url, { [textFields[name]!]: state }))
    if (!answer) return undefined
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    entry.states = [state]
    return id
  }

  async #verifyRecord(client: Client, id: string): Promise<void> {
    const entry = this.#entries.get(id)!
    const { status, body } = await client.get(`/${entry.resource.path}/${id}`)
    const found = status === 404 ? deleted : body.data[textFields[entry.resource.name]!]
    assert.ok(
      entry.states.includes(found),
      `${entry.resource.name} ${id} is "${found}", acknowledged was "${entry.states}"`,
    )
    entry.states = [found]
  }

  #nextText(): string {
    return `Text ${++this.#written}`
  }
}

async function verifyReceipt(client: Client, key: string, { path, body, answer }: Receipt): Promise<void> {
  const again = await client.post(path, body, { 'Idempotency-Key': key })
  assert.deepEqual([again.status, again.body, again.headers.get('idempotent-replayed')], [201, answer, 'true'])
}

/** Undefined where the server has gone. */
async function attempt(sending: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof TypeError) return undefined // fetch: the connection ended
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
