import assert from 'node:assert/strict'
import type { ApiResponse, Client } from '../../support/client.ts'
import { type JsonRecord, make } from '../../support/make.ts'

export const viewsPath = '/api-v1-views'

/** Creates a view of deals. */
export async function addView(client: Pick<Client, 'post'>, fields: Record<string, unknown> = {}): Promise<JsonRecord> {
  const { status, body } = await client.post(viewsPath, { name: 'Mine', resource: 'deal', ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

/** Creates deals of these values, each titled with its value. */
export async function addDeals(client: Client, values: readonly number[]): Promise<void> {
  for (const value of values) await make(client, 'deal', { title: String(value), value })
}

/** The titles of a page, in its order. */
export function titlesIn({ status, body }: ApiResponse): string[] {
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ title }: { title: string }) => title)
}
