import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertStored } from '../../src/access/idempotency.ts'
import { workspaceOf } from '../long-requests/under-request.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { onPrepared } from '../support/prepared.ts'
import { start } from '../support/start.ts'

const count = 1_200

test('An erasure overwrites stored responses in parts, between which others write, and each once', async (t) => {
  const parts: number[] = []
  const server = await start(t, {
    longRequests: 'here',
    prepare(db) {
      onPrepared(db, 'UPDATE idempotent_answer ', (statement) => {
        const run = statement.run.bind(statement)
        statement.run = (...params: unknown[]) => {
          const result = run(...params)
          parts.push(result.changes)
          return result
        }
      })
    },
  })
  const client = await server.client()
  const erase = async () => {
    const { id } = await make(client, 'contact')
    await client.delete(`/api-v1-contacts/${id}`)
    parts.length = 0
    assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
    return parts.filter((changes) => changes > 0)
  }
  const once = { 'Idempotency-Key': 'once' }
  await client.post('/api-v1-contacts', { first_name: 'Ada' }, once)
  await server.store.write(workspaceOf(server.store, client), (tx) => {
    for (let n = 1; n < count; n++) {
      const name = { by: 'api_key', id: client.keyId, idempotencyKey: `n${n}` } as const
      insertStored(tx, name, { request: 'hash', response: 'sealed' })
    }
  })

  const [first, second] = [await erase(), await erase()]

  assert.equal(
    first.reduce((sum, changes) => sum + changes, 0),
    count,
  )
  assert.ok(Math.max(...first) <= count / 2, first.join())
  assert.deepEqual(second, [])
  assertError(await client.post('/api-v1-contacts', { first_name: 'Ada' }, once), 409, 'CONFLICT')
})
