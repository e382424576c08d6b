import assert from 'node:assert/strict'
import type { Resource } from '../../src/engine/records/define.ts'
import type { ApiResponse, Client } from '../support/client.ts'
import { ended, resultsOf } from '../support/imports.ts'
import { textFieldOf, type Writing } from './ledger-requests.ts'

export interface Job {
  resource: Resource
  text: string
  total: number
  /** How many records it creates. */
  distinct: number
  requestId: string
  /** Undefined: the request had no response. */
  cancelled: boolean | undefined
}

export interface Receipt extends Writing {
  /** The response as it was first received. */
  response: unknown
}

/** Repeats a request. Its response is the first one, or has been erased. Returns the id of the repeated request. */
export async function verifyReceipt(
  client: Client,
  key: string,
  receipt: Receipt,
  mayBeErased: boolean,
): Promise<string> {
  const again = await send(client, receipt, key)
  const replayed = again.headers.get('idempotent-replayed')
  const isErased = again.status === 409 && again.body.error.message.startsWith('This request has been processed.')
  if (mayBeErased && isErased) return again.headers.get('x-request-id')!
  assert.deepEqual([again.status, again.body, replayed], [receipt.status, receipt.response, 'true'], receipt.path)
  return again.headers.get('x-request-id')!
}

/** Fails unless the job ends, the records that it reports as created exist, and there is one result for each row. */
export async function verifyJob(client: Client, path: string, job: Job): Promise<void> {
  const { resource, text, total, distinct, requestId, cancelled } = job
  const { status, total_records, created_records, updated_records, ...counts } = await ended(client, path)
  const filter = `${textFieldOf(resource)}[eq]=${encodeURIComponent(text)}`
  const { body } = await client.get(`/${resource.path}?${filter}&limit=1`)
  assert.deepEqual([total_records, created_records, updated_records], [total, body.pagination.total, 0], path)
  const created = await client.get(
    `/api-v1-changes?types=${resource.name}.created&request_id=${requestId}&limit=1000&payload=ids`,
  )
  assert.equal(created.body.data.length, created_records, path)
  if (cancelled !== undefined) assert.equal(status, cancelled ? 'failed' : 'completed', path)
  if (status === 'completed') assert.deepEqual([created_records, counts.failed_records], [distinct, 0], path)
  const results = await resultsOf(client, path)
  assert.deepEqual(
    results.map(({ row }) => row),
    Array.from({ length: total }, (_, index) => index + 1),
    path,
  )
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  const expected = [created_records, counts.unchanged_records, counts.failed_records]
  assert.deepEqual(['created', 'unchanged', 'failed'].map(count), expected, path)
  assert.equal(new Set(results.flatMap(({ id }) => id ?? [])).size, created_records, path)
}

export function send(client: Client, { method, path, body }: Writing, key?: string): Promise<ApiResponse> {
  const headers = {
    ...(body && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  }
  return client.request(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
}
