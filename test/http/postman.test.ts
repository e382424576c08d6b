import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSelfContained } from '../support/contract.ts'
import { document } from '../support/described.ts'
import { start } from '../support/start.ts'
import { ExampleWorld } from './examples.ts'
import { importIntoPostman } from './postman.ts'

const requests = await importIntoPostman(document)

/** Query parameters by operation. */
const requiredOf: Readonly<Record<string, string[]>> = {
  'Search all records': ['q'],
  'Upload a file': ['name'],
  'Deliver a message': ['address'],
  'Deliver a message without a key': ['address'],
  'Add a contact to a deal, or change the role': [],
}

test('A Postman collection of the document has every operation, and sends no optional parameter', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods))

  assert.equal(requests.length, operations.length)
  for (const { name, method, headers, url } of requests) {
    const sent = Object.keys(headers).filter((header) => !['Accept', 'Content-Type', 'Authorization'].includes(header))
    const required = requiredOf[name] ?? (method === 'PUT' ? ['match_on'] : [])
    assert.deepEqual([sent, [...new URL(url, 'http://kontor').searchParams.keys()]], [[], required], name)
  }
})

/** Without descriptions of responses, of which a collection has examples, and no requests. */
const requestsOnly = JSON.parse(JSON.stringify(document), (name, value) =>
  name === 'responses' ? { 200: { description: 'OK' } } : value,
)

test('A Postman collection made with other import settings has no Idempotency-Key, which would be the same for all requests', async () => {
  const imported = await importIntoPostman(requestsOnly, {})
  assert.equal(imported.length, requests.length)
  for (const { name, headers } of imported) {
    assert.ok(!('Idempotency-Key' in headers), name)
  }
})

test('A Postman collection of the document works without changes', async (t) => {
  const server = await start(t, { work: 'nowhere', rateLimits: 'off' }) // so that imports stay queued
  const byText = requests
    .filter(({ name }) => name !== 'Upload a file') // in Postman, one chooses the file
    .filter(({ url }) => isSelfContained(url.replace('{{baseUrl}}', '')))
  for (const { name, method, url, headers, body } of byText) {
    await t.test(name, async () => {
      const world = await ExampleWorld.create(server)
      const variables: Record<string, string> = { baseUrl: server.url, bearerToken: world.client.key }
      const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, variable) => variables[variable]!)

      const target = await world.realText(filled(url))
      await world.prepare({ method, path: target })
      const given = Object.entries(headers).map(([key, value]) => [key, filled(value)])
      // Postman sends the cookie of a session by itself.
      const session = headers.Authorization
        ? {}
        : { Cookie: (await world.signIn()).cookie!, 'Kontor-Environment': 'live' }
      const response = await fetch(target, {
        method,
        headers: { ...session, ...Object.fromEntries(given) },
        ...(body !== undefined && { body: await world.realText(body) }),
      })

      assert.ok(response.status < 300, `${response.status} ${await response.text()}`)
    })
  }
})
