import assert from 'node:assert/strict'
import { runBatch } from '../../src/jobs/run-batch.ts'
import { sweep } from '../../src/jobs/sweep.ts'
import type { Store } from '../../src/store/store.ts'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'

/** The importable resources, by the last part of their paths. */
export const importPaths = ['contacts', 'organizations'] as const

/** Submits records. Returns the path of the job. */
export async function submit(client: Client, what: string, records: unknown[]): Promise<string> {
  const response = await client.post(`/api-v1-bulk/${what}`, { records })
  assert.equal(response.status, 202, JSON.stringify(response.body))
  return response.headers.get('location')!
}

export async function jobAt(client: Client, path: string): Promise<JsonRecord> {
  const response = await client.get(path)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body.data
}

/** Waits until the job has ended. Returns it. */
export async function ended(client: Client, path: string): Promise<JsonRecord> {
  for (;;) {
    const job = await jobAt(client, path)
    if (job.completed_at !== null) return job
  }
}

/** Submits records and waits for the end of their job. */
export async function importAll(client: Client, what: string, records: unknown[]): Promise<JsonRecord> {
  return ended(client, await submit(client, what, records))
}

/** Valid contacts whose last names are numbered from 1. */
export function contacts(count: number, name = 'Row'): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, row) => ({ first_name: 'Grace', last_name: `${name} ${row + 1}` }))
}

export async function totalOf(client: Client, what: string): Promise<number> {
  return (await client.get(`/api-v1-${what}?limit=1`)).body.pagination.total
}

/** Imports the queued records of all workspaces, on a server without a worker thread. */
export async function runBatches(store: Store): Promise<void> {
  for (const id of await sweep(store)) while ((await runBatch(store, id)) === 'imported');
}
