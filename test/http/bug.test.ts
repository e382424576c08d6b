import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeBeside } from '../support/beside.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'

test('A bug in a handler is a 500 with the request id and without details, and the server keeps running', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  changeBeside(server, (db) => void db.exec('ALTER TABLE activity RENAME TO gone'))
  const headers = { 'X-Request-Id': 'the-one' }

  const responses = [
    await client.get('/api-v1-activities', headers),
    await client.post('/api-v1-activities', { type: 'call' }, headers),
  ]

  for (const response of responses) {
    assertError(response, 500, 'INTERNAL_ERROR', 'An unexpected error occurred')
    assert.equal(response.headers.get('x-request-id'), 'the-one')
  }
  assert.equal((await client.post('/api-v1-organizations', { name: 'Acme' })).status, 201)
})
