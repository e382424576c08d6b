import assert from 'node:assert/strict'
import { matchable } from '../../src/crm/index.ts'
import type { Resource } from '../../src/engine/definition/define.ts'
import type { Client } from './client.ts'
import { fieldsPath } from './fields.ts'

/** The key of the unique field that `declareUnique` declares. The examples of the OpenAPI document match on it, too. */
export const uniqueKey = 'number'

/** Declares a unique field for resources, so that records can be matched on it. */
export async function declareUnique(client: Client, of: readonly Resource[] = matchable): Promise<void> {
  for (const { name } of of) {
    const field = { resource: name, key: uniqueKey, type: 'text', unique: true }
    assert.equal((await client.post(fieldsPath, field)).status, 201)
  }
}
