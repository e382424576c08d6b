import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { ended, jobAt, submit } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const contacts = '/api-v1-contacts'
const json = { 'Content-Type': 'application/json' }
const tooLarge = 'Metadata must be at most 65536 bytes of JSON'

/** An object with 200 KB of members, of which the last value is not JSON. */
const unreadable = `{${Array.from({ length: 16_000 }, (_, at) => `"key${at}":1`).join()},"last":nothing}`

async function open(t: Parameters<typeof start>[0]): Promise<Client> {
  return (await (await start(t)).company('Acme')).client
}

function send(client: Client, method: string, path: string, body: string): Promise<ApiResponse> {
  return client.request(method, path, { headers: json, body })
}

test('Metadata that is too large is refused without being parsed, wherever it is given', async (t) => {
  const client = await open(t)
  const { id } = await make(client, 'contact')
  const { id: other } = await make(client, 'contact')

  const responses = [
    await send(client, 'POST', contacts, `{"first_name":"Ada","metadata":${unreadable}}`),
    await send(client, 'PATCH', `${contacts}/${id}`, `{ "metadata" : ${unreadable} }`),
  ]
  const merge = await send(
    client,
    'POST',
    `${contacts}/${id}/merge`,
    `{"with":["${other}"],"fields":{"metadata":${unreadable}}}`,
  )

  for (const response of responses) assertError(response, 400, 'VALIDATION_ERROR', tooLarge, ['metadata'])
  assertError(merge, 400, 'VALIDATION_ERROR', tooLarge, ['fields.metadata'])
  assert.deepEqual((await client.get(`${contacts}/${id}`)).body.data.metadata, {})
})

test('A record of an import with metadata that is too large fails by itself', async (t) => {
  const client = await open(t)
  const metadata = Object.fromEntries(Array.from({ length: 16_000 }, (_, at) => [`key${at}`, 1]))

  const path = await submit(client, 'contacts', [{ first_name: 'Ada', metadata }, { first_name: 'Grace' }])
  await ended(client, path)

  const { errors, successful_records } = await jobAt(client, path)
  assert.deepEqual(
    [errors, successful_records],
    [[{ row: 1, field: 'metadata', error: tooLarge, code: 'TOO_LONG' }], 1],
  )
})

test('Metadata counts as it is stored, without the spaces and escapes of the request', async (t) => {
  const client = await open(t)
  const spaces = ' '.repeat(100_000)
  const text = 'x'.repeat(20_000)
  const escaped = '\\u0078'.repeat(20_000)

  const spacious = await send(client, 'POST', contacts, `{"first_name":"Ada","metadata":{"a":${spaces}"${text}"}}`)
  const escaping = await send(client, 'POST', contacts, `{"first_name":"Ada","metadata":{"a":"${escaped}"}}`)

  for (const { status, body } of [spacious, escaping]) {
    assert.equal(status, 201, JSON.stringify(body).slice(0, 200))
    assert.deepEqual(body.data.metadata, { a: text })
  }
})

test('Text that looks like large metadata is stored as it is', async (t) => {
  const client = await open(t)
  const description = `"metadata":{${'"a":1,'.repeat(14_000)}`

  const { id } = await make(client, 'activity', { description })

  assert.equal((await client.get(`/api-v1-activities/${id}`)).body.data.description, description)
})

test('A body has at most 50000 values', async (t) => {
  const client = await open(t)

  const many = await send(client, 'POST', contacts, `{"first_name":"Ada","unknown":[${'1,'.repeat(49_996)}1]}`)
  const tooMany = await send(client, 'POST', contacts, `{"first_name":"Ada","unknown":[${'1,'.repeat(49_997)}1]}`)

  assert.equal(many.status, 201)
  assertError(tooMany, 400, 'INVALID_REQUEST', 'The body has more than 50000 values')
})

test('Lists and texts that are too long are refused with their names and limits', async (t) => {
  const client = await open(t)
  const long = 'ß'.repeat(200_000)

  const emails = await client.post(contacts, { first_name: 'Ada', emails: Array(20_000).fill({}) })
  const events = await client.post('/api-v1-webhooks', { url: 'https://a.example', events: Array(1_001).fill('*') })
  const options = await client.post('/api-v1-fields', {
    ...{ resource: 'contact', key: 'tier', type: 'choice' },
    options: Array(30_000).fill('gold'),
  })
  const name = await client.post(contacts, { first_name: long, emails: [{ email: long }] })
  const padded = await client.post(contacts, { first_name: `${' '.repeat(1_400)}Ada${' '.repeat(500)}` })

  assertError(emails, 400, 'VALIDATION_ERROR', 'emails must have at most 100 items', ['emails'])
  assertError(events, 400, 'VALIDATION_ERROR', 'Events must have at most 1000 items', ['events'])
  assertError(options, 400, 'VALIDATION_ERROR', 'Options must be at most 100', ['options'])
  assertError(name, 400, 'VALIDATION_ERROR', 'First name must be at most 500 characters', [
    'first_name',
    'emails[0].email',
  ])
  assert.equal(padded.body.data.first_name, 'Ada')
})

test('A request with more than 200 parameters is refused with one error', async (t) => {
  const client = await open(t)
  const query = Array.from({ length: 1_000 }, (_, at) => `p${at}`).join('&')

  for (const path of [contacts, '/api-v1-me', '/api-v1-changes']) {
    const response = await client.get(`${path}?${query}`)
    assertError(response, 400, 'VALIDATION_ERROR', 'A request takes at most 200 parameters', ['p200'])
  }
})
