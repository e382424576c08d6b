import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'

const mark = '\ufeff'
const headers = { 'Content-Type': 'application/json' }

test('A byte order mark before JSON is skipped, whatever the size of the body that a route takes', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const send = (method: string, path: string, body: string) => client.request(method, path, { body, headers })

  const made = await send('POST', '/api-v1-organizations', `${mark}{"name":"Acme"}`)
  const patched = await send('PATCH', `/api-v1-organizations/${made.body.data.id}`, `${mark}{"city":"Kiel"}`)
  const bulk = await send('POST', '/api-v1-bulk/organizations', `${mark}{"records":[{"name":"B"}]}`)
  const nothing = await send('POST', '/api-v1-organizations', mark)
  const two = await send('POST', '/api-v1-organizations', `${mark}${mark}{"name":"Acme"}`)

  assert.deepEqual([made.status, patched.status, bulk.status], [201, 200, 202])
  assertError(nothing, 400, 'INVALID_REQUEST', 'The request needs a body: a JSON object')
  assertError(two, 400, 'INVALID_REQUEST')
})

test('A name that a message quotes is not cut within a character', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const character of ['\u{1f600}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', 'e\u0301']) {
    const name = `${'x'.repeat(59)}${character}${'y'.repeat(20)}`

    const { body } = await client.get(`/api-v1-organizations?${encodeURIComponent(name)}=1`)

    const { message } = body.error.details[0]
    assert.ok(message.includes(`"${'x'.repeat(59)}…"`), message)
  }
})
