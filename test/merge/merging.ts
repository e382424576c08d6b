import assert from 'node:assert/strict'
import type { ApiResponse, Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

export const contacts = '/api-v1-contacts'
export const organizations = '/api-v1-organizations'

/** Merges records into the first one. Fails unless it succeeds. */
export async function merge(
  client: Client,
  path: string,
  [survivor, ...others]: readonly [JsonRecord, ...JsonRecord[]],
  options: Record<string, unknown> = {},
): Promise<ApiResponse> {
  const response = await client.post(`${path}/${survivor.id}/merge`, { with: others.map(({ id }) => id), ...options })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response
}

/** Undoes a merge. Fails if anything is in its way, or was kept. A survivor that did not change is as before. */
export async function undo(client: Client, { headers }: ApiResponse): Promise<void> {
  const { body } = await client.post('/api-v1-undo', { request_id: headers.get('x-request-id') })
  const kept = body.data?.kept.filter(({ message }: JsonRecord) => message !== 'It is already as it was before')
  assert.deepEqual([kept, body.data?.errored], [[], []], JSON.stringify(body))
}

/** Every record of these resources and of the trash, without the times at which they were changed. */
export async function everything(client: Client): Promise<JsonRecord> {
  const names = ['organizations', 'contacts', 'deals', 'tasks', 'activities']
  const all: JsonRecord = {}
  for (const name of names) {
    const list = await client.get(`/api-v1-${name}?limit=100&sort=created_at`)
    const records = list.body.data.map(({ id }: JsonRecord) => client.get(`/api-v1-${name}/${id}`))
    all[name] = (await Promise.all(records)).map(({ body }) => ({ ...body.data, updated_at: undefined }))
  }
  all.trash = (await client.get('/api-v1-trash')).body.data
  return all
}
