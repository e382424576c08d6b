import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

export interface SnapshotRead {
  head: JsonRecord
  /** The lines between the first and the last. */
  records: JsonRecord[]
}

/** Reads a complete snapshot. */
export async function readSnapshot(client: Client, query = ''): Promise<SnapshotRead> {
  const { status, body } = await client.get(`/api-v1-snapshot${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return parseSnapshot(body)
}

export function parseSnapshot(lines: string): SnapshotRead {
  const [head, ...records] = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(records.pop(), { end: true, count: records.length })
  return { head, records }
}

/** A response that has begun and is not read. */
export interface Held {
  response: IncomingMessage
  /** Reads the rest. Rejects if the response ends too early. */
  rest(): Promise<string>
  drop(): void
}

/** Requests a snapshot, and reads only the head of the response. */
export function holdSnapshot(url: string, { key }: Client): Promise<Held> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api-v1-snapshot`, { agent: false, headers: { Authorization: `Bearer ${key}` } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.on('error', () => {})
      resolve({ response, rest: () => text(response), drop: () => sent.destroy() })
    })
    sent.end()
  })
}
