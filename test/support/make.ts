import assert from 'node:assert/strict'
import { resources } from '../../src/crm/index.ts'
import type { Client } from './client.ts'

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
}

/** Creates a record with valid defaults; only what matters to the test is given. */
export async function make(
  client: Client,
  resource: string,
  fields: Record<string, unknown> = {},
): Promise<JsonRecord> {
  const { path, operations } = resources.find(({ name }) => name === resource)!
  if (!operations.includes('create')) return (await client.get(`/${path}/${await client.addUser(fields)}`)).body.data
  const answer = await client.post(`/${path}`, { ...bodies[resource]!(), ...fields })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}
