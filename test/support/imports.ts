import assert from 'node:assert/strict'
import { importedByPath } from '../../src/features/imports/imported.ts'
import { runBatch as runBatchOf, type Turn } from '../../src/features/imports/run-batch.ts'
import { logged } from '../../src/features/index.ts'
import type { Store } from '../../src/store/store.ts'
import { sweep } from '../../src/threads/sweep.ts'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'
import { until } from './wait.ts'

/** The importable resources, by the last part of their paths. */
export const importPaths = Object.keys(importedByPath)

/** What a bulk import may say besides its records. */
export interface Envelope {
  match_on?: string
  mode?: string
  dry_run?: boolean
}

/** Submits records. Returns the path of the job. */
export async function submit(
  client: Client,
  what: string,
  records: unknown[],
  envelope: Envelope = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await client.post(`/api-v1-bulk/${what}`, { ...envelope, records }, headers)
  assert.equal(response.status, 202, JSON.stringify(response.body))
  return response.headers.get('location')!
}

export async function jobAt(client: Client, path: string): Promise<JsonRecord> {
  const response = await client.get(path)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body.data
}

/** Of a job: some have many records. */
const limitMs = 120_000

/** Waits until the job has ended. Returns it. */
export async function ended(client: Client, path: string): Promise<JsonRecord> {
  return until('the job has ended', () => jobAt(client, path), { is: (job) => job.completed_at !== null, limitMs })
}

/** Submits records and waits for the end of their job. */
export async function importAll(
  client: Client,
  what: string,
  records: unknown[],
  envelope: Envelope = {},
): Promise<JsonRecord> {
  return ended(client, await submit(client, what, records, envelope))
}

/** The result of each record of a job. */
export async function resultsOf(client: Client, path: string): Promise<JsonRecord[]> {
  const { status, body } = await client.get(`${path}/results`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
    .split('\n')
    .filter((line: string) => line !== '')
    .map((line: string) => JSON.parse(line))
}

/** Imports records. Returns their results. */
export async function importResults(
  client: Client,
  what: string,
  records: unknown[],
  envelope: Envelope = {},
): Promise<JsonRecord[]> {
  const path = await submit(client, what, records, envelope)
  await ended(client, path)
  return resultsOf(client, path)
}

/** The outcomes, or the errors, of results: `created`, `email: Several contacts have this email`. */
export function outcomesOf(results: readonly JsonRecord[]): string[] {
  const textOf = ({ field, error }: JsonRecord) => (field === undefined ? error : `${field}: ${error}`)
  return results.map(({ outcome, errors }) => (outcome === 'failed' ? errors.map(textOf).join('; ') : outcome))
}

/** Valid contacts whose last names are numbered from 1. */
export function contacts(count: number, name = 'Row'): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, row) => ({ first_name: 'Grace', last_name: `${name} ${row + 1}` }))
}

export async function totalOf(client: Client, what: string): Promise<number> {
  return (await client.get(`/api-v1-${what}?limit=1`)).body.pagination.total
}

/** Runs the next batch of a workspace; see `run-batch.ts`. */
export function runBatch(store: Store, workspaceId: number, isWanted?: () => boolean): Promise<Turn> {
  return runBatchOf(store, logged, workspaceId, isWanted)
}

/** Imports the queued records of all workspaces, on a server without a worker thread. */
export async function runBatches(store: Store): Promise<void> {
  for (const id of await sweep(store)) while ((await runBatch(store, id)) === 'imported');
}
