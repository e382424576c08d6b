import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'
import { start } from './start.ts'

export interface LoggedChange {
  seq: number
  type: string
  request_id: string
  cause: unknown
  changed: string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests assert records of every shape
  data: any
}

export async function openServer(t: TestContext) {
  const server = await start(t)
  return { server, client: await server.client() }
}

/** A record's changes, oldest first. */
export async function changesOf(client: Client, id: string): Promise<LoggedChange[]> {
  return (await client.get(`/api-v1-changes?record_id=${id}&limit=1000`)).body.data
}

/** The number of a record's newest change. */
export async function newestOf(client: Client, id: string): Promise<number> {
  return (await changesOf(client, id)).at(-1)!.seq
}

/** Creates a record: `create(client, 'contacts', { first_name: 'Ada' })`. Returns its id. */
export async function create(client: Client, plural: string, body: object): Promise<string> {
  const response = await client.post(`/api-v1-${plural}`, body)
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.data.id
}

/** Reads the changes after a position, to the end of the log. */
export async function readChanges(client: Client, after = 'start'): Promise<JsonRecord[]> {
  const changes: JsonRecord[] = []
  for (let cursor = after; ; ) {
    const { status, body } = await client.get(`/api-v1-changes?limit=1000&after=${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    changes.push(...body.data)
    if (!body.has_more) return changes
    cursor = body.cursor
  }
}
