import assert from 'node:assert/strict'
import type { JsonRecord } from '../../../support/make.ts'
import type { Visitor } from '../../../support/visitor.ts'
import { until } from '../../../support/wait.ts'

/** A client with a key, or a user. */
type Asking = Pick<Visitor, 'get' | 'post'>

export const sourcesPath = '/api-v1-mail-sources'
/** Where a server of a test may read mailboxes. */
export const mailboxes = [{ host: '127.0.0.1' }]

/** Creates a source that reads everything in the inbox of Ada, on this machine and without encryption. */
export async function newSource(client: Asking, port: number, body: Record<string, unknown> = {}): Promise<JsonRecord> {
  const place = { host: '127.0.0.1', port, tls: 'none', user: 'ada@example.com', password: 'secret', start: 'all' }
  const made = await client.post(sourcesPath, { ...place, ...body })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.data
}

/** The subjects of the stored messages, in the order of the alphabet. */
export async function subjectsOf(client: Asking): Promise<string[]> {
  const { body } = await client.get('/api-v1-messages?limit=100')
  return body.data.map(({ subject }: JsonRecord) => subject).sort()
}

/** In milliseconds. Longer than anything takes on a busy machine, also eight tries. */
const limitMs = 120_000

/** Resolves when exactly these messages are stored. */
export async function untilStored(client: Asking, ...subjects: string[]): Promise<void> {
  const expected = subjects.toSorted().join()
  await until(`stored: ${expected}`, () => subjectsOf(client), { is: (seen) => seen.join() === expected, limitMs })
}

/** Resolves with the error of a source when it has one. */
export async function untilFailing(client: Asking, id: string): Promise<string> {
  const errorOf = async () => (await client.get(`${sourcesPath}/${id}`)).body.data.last_error ?? false
  return String(await until('the source has an error', errorOf, { limitMs }))
}

/** Resolves when a source has been read, and since then without an error. */
export async function untilRead(client: Asking, id: string): Promise<void> {
  const look = async () => (await client.get(`${sourcesPath}/${id}`)).body.data
  const is = ({ last_error, last_success_at }: JsonRecord) => last_error === null && last_success_at !== null
  await until('the source is read', look, { is, limitMs })
}
