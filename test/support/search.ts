import assert from 'node:assert/strict'
import type { Resource } from '../../src/engine/records/define.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'
import type { Server } from './start.ts'

export const path = '/api-v1-search'

export interface SearchResult {
  type: string
  id: string
  title: string
  subtitle: string | null
  matched: { field: string; text: string }[]
}

/** Sends searches. Fails unless they succeed. */
export function searcher(client: Client) {
  return async (q: string, rest: Record<string, string> = {}): Promise<SearchResult[]> => {
    const { status, body } = await client.get(`${path}?${new URLSearchParams({ q, ...rest })}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
}

/** Creates records in one transaction. */
export async function fill(
  { store }: Pick<Server, 'store'>,
  { keyId }: Client,
  resource: Resource,
  bodies: readonly object[],
): Promise<void> {
  const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', keyId)!
  await store.write(workspaceId, (tx) => {
    for (const body of bodies) insert(resource, tx, readCreate(resource, tx, { ...body }), {})
  })
}

/** The ids on the first page of a list with `q`, and the total. */
export async function listed(client: Client, path: string, q: string): Promise<{ ids: string[]; total: number }> {
  const { status, body } = await client.get(`${path}?${new URLSearchParams({ q, limit: '100' })}`)
  assert.equal(status, 200, JSON.stringify(body))
  return { ids: body.data.map(({ id }: JsonRecord) => id), total: body.pagination.total }
}
