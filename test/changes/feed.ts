import assert from 'node:assert/strict'
import type { ApiResponse, Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

export const changesPath = '/api-v1-changes'

/** A page of the feed. */
export async function pageOf(client: Client, query = ''): Promise<JsonRecord> {
  const response = await client.get(`${changesPath}${query}`)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

/** The cursor of the newest change. */
export async function newestCursor(client: Client): Promise<string> {
  return (await pageOf(client, '?after=now')).cursor
}

/** Sends a request that waits after a cursor. Resolves when the server has received it, with its response to come. */
export async function beginWaiting(
  client: Client,
  query: string,
): Promise<{ response: Promise<ApiResponse>; isDone(): boolean }> {
  let done = false
  const response = client.get(`${changesPath}${query}`).finally(() => {
    done = true
  })
  response.catch(() => {}) // the test awaits it later
  for (let turn = 0; turn < 3; turn++) await client.get('/api-v1-me')
  return { response, isDone: () => done }
}

/** `organization.created` of each change. */
export function typesIn(changes: readonly { type: string }[]): string[] {
  return changes.map(({ type }) => type)
}

/** Metadata of almost 64 KiB. */
export const largeMetadata = { text: 'x'.repeat(65_000) }
