import assert from 'node:assert/strict'
import { resources } from '../../src/crm/index.ts'
import type { ApiResponse, Client } from './client.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record as JSON
export type JsonRecord = any

let stages = 0

/** A valid body for each resource that can be created, by its name: what the contract suite creates. */
export const bodies: Record<string, () => Record<string, unknown>> = {
  organization: () => ({ name: 'Nordwind Logistik' }),
  contact: () => ({ first_name: 'Grace' }),
  deal: () => ({ title: 'New warehouse' }),
  stage: () => ({ name: `Stage ${++stages}` }),
  task: () => ({ title: 'Call back' }),
  activity: () => ({ type: 'call' }),
  api_key: () => ({ name: 'Integration', scopes: ['read:deals'] }),
}

/** Creates a record with valid defaults; only what matters to the test is given. */
export async function make(
  client: Client,
  resource: string,
  fields: Record<string, unknown> = {},
): Promise<JsonRecord> {
  const { path, operations } = resources.find(({ name }) => name === resource)!
  if (!operations.includes('create')) return (await client.get(`/${path}/${await client.addUser(fields)}`)).body.data
  const response = await client.post(`/${path}`, sound(resource, { ...bodies[resource]!(), ...fields }))
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return recordOf(response)
}

/** A record without what is shown at its creation only. */
export function recordOf({ body }: ApiResponse): JsonRecord {
  const { key: _, ...record } = body.data
  return record
}

/** A key with a user is personal, one without is shared (decision E5). */
export function sound(resource: string, body: Record<string, unknown>): Record<string, unknown> {
  if (resource !== 'api_key' || !['shared', 'personal', undefined].includes(body.type as string)) return body
  return { ...body, type: body.user_id ? 'personal' : 'shared' }
}
