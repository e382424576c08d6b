import assert from 'node:assert/strict'
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
