import assert from 'node:assert/strict'
import { type ApiResponse, assertError } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import type { Server } from '../support/start.ts'

/** A company whose stage Proposal requires a day and a declared field, and where Lead requires nothing. */
export async function open(server: Server, requires = both) {
  const company = await server.company('Acme')
  const { client } = company
  await make(client, 'field', { resource: 'deal', key: 'budget', type: 'text' })
  await make(client, 'field', { resource: 'deal', key: 'code', type: 'text', unique: true })
  const { body } = await client.get('/api-v1-stages')
  const ids = Object.fromEntries(body.data.map(({ id, name }: JsonRecord) => [name, id]))
  await client.patch(`/api-v1-stages/${ids.Proposal}`, { requires })
  return { client, key: company.key, proposal: String(ids.Proposal), lead: String(ids.Lead) }
}

export const both = ['expected_close_date', 'metadata.budget']
export const complete = { expected_close_date: '2026-12-01', metadata: { budget: 'approved' } }

/** The fields of the details, each of which is REQUIRED. */
export function missingIn(response: ApiResponse): string[] {
  assertError(response, 400, 'VALIDATION_ERROR')
  for (const { code } of response.body.error.details) assert.equal(code, 'REQUIRED')
  return response.body.error.details.map(({ field }: JsonRecord) => field)
}
