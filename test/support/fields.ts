import assert from 'node:assert/strict'
import type { Resource } from '../../src/engine/records/define.ts'
import { matchable } from '../../src/features/index.ts'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'

export const fieldsPath = '/api-v1-fields'

/** Declares a field of contacts. */
export async function declareField(client: Client, key: string, type: string, rest: object = {}): Promise<JsonRecord> {
  const response = await client.post(fieldsPath, { resource: 'contact', key, type, ...rest })
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.data
}

/** Creates a contact with this metadata. Its first name is for the test to find it again. */
export async function addContact(client: Client, first_name: string, metadata: object = {}): Promise<JsonRecord> {
  const response = await client.post('/api-v1-contacts', { first_name, last_name: 'Test', metadata })
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.data
}

/** The first names of the contacts that a query lists, in its order, read page by page. */
export async function namesOf(client: Client, query: string, limit = 100): Promise<string[]> {
  const names: string[] = []
  let cursor = ''
  do {
    const { status, body } = await client.get(`/api-v1-contacts?limit=${limit}&${query}${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    names.push(...body.data.map((each: JsonRecord) => each.first_name))
    cursor = body.pagination.next_cursor === null ? '' : `&cursor=${body.pagination.next_cursor}`
  } while (cursor !== '')
  return names
}

/** The key of the unique field that `declareUnique` declares. The examples of the OpenAPI document match on it, too. */
export const uniqueKey = 'number'

/** Declares a unique field for resources, so that records can be matched on it. */
export async function declareUnique(client: Client, of: readonly Resource[] = matchable): Promise<void> {
  for (const { name } of of) {
    const field = { resource: name, key: uniqueKey, type: 'text', unique: true }
    assert.equal((await client.post(fieldsPath, field)).status, 201)
  }
}
