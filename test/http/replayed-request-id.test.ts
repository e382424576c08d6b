import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { ended } from '../support/imports.ts'
import { start } from '../support/start.ts'

const organizations = '/api-v1-organizations'
const original = 'kontor-original-request-id'

/** Sends a request twice, as after a response that was lost. */
async function sendTwice(client: Client, path: string, body: unknown, ids: readonly string[] = []) {
  const send = (at: number) =>
    client.post(path, body, { 'Idempotency-Key': 'once', ...(ids[at] && { 'X-Request-Id': ids[at] }) })
  return [await send(0), await send(1)] as const
}

/** decision B15 */
test('A request whose first response was lost can be undone: the repeated response has the id of the request that wrote', async (t) => {
  const client = await (await start(t)).client()

  const [first, again] = await sendTwice(client, organizations, { name: 'Acme' })

  assert.equal(first.headers.get(original), null)
  assert.equal(again.headers.get(original), first.headers.get('x-request-id'))
  assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
  const { body } = await client.post('/api-v1-undo', { request_id: again.headers.get(original) })
  assert.deepEqual(
    body.data.reversed.map(({ record_id }: { record_id: string }) => record_id),
    [first.body.data.id],
  )
})

test('A repeated response echoes the id that the caller gave the repetition, beside that of the first request', async (t) => {
  const client = await (await start(t)).client()

  const [, again] = await sendTwice(client, organizations, { name: 'Acme' }, ['attempt-1', 'attempt-2'])

  assert.deepEqual([again.headers.get('x-request-id'), again.headers.get(original)], ['attempt-2', 'attempt-1'])
})

test('A bulk import that was accepted twice with one key is undone by the id of the first request', async (t) => {
  const client = await (await start(t)).client()
  const records = [{ name: 'Acme' }, { name: 'Nordwind' }]

  const [first, again] = await sendTwice(client, '/api-v1-bulk/organizations', { records })

  assert.equal(again.headers.get(original), first.headers.get('x-request-id'))
  await ended(client, first.headers.get('location')!)
  const { body } = await client.post('/api-v1-undo', { request_id: again.headers.get(original) })
  assert.equal(body.data.reversed.length, records.length)
})
