import assert from 'node:assert/strict'
import type { Client } from './client.ts'
import type { JsonRecord } from './make.ts'

/** Reads the changes after a position, to the end of the log. */
export async function readChanges(client: Client, after = 'start'): Promise<JsonRecord[]> {
  const changes: JsonRecord[] = []
  for (let cursor = after; ; ) {
    const { status, body } = await client.get(`/api-v1-changes?limit=1000&after=${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    changes.push(...body.data)
    if (!body.has_more) return changes
    cursor = body.cursor
  }
}
