import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, clientFor } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { document } from '../support/described.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'

/** Every operation on a record, with ids that no record has. */
const operations = Object.entries(document.paths)
  .filter(([path]) => path.includes('{'))
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, unknownId)] as const),
  )
const json = { 'Content-Type': 'application/json' }

for (const [name, key] of [
  ['a shared key', {}],
  ['a test key', { environment: 'test' }],
  ["a member's key", { type: 'personal', scopes: ['read:all', 'write:all'] }],
] as const) {
  test(`An unknown parameter is rejected before the record is looked for, with ${name}`, async (t) => {
    const server = await start(t)
    const owner = await newOwner(server)
    const user_id = 'type' in key ? (await newColleague(server, 'member')).id : undefined
    const body = { name, scopes: ['admin:all'], ...key, ...(user_id && { user_id }) }
    const client = clientFor(server.url, (await owner.post('/api-v1-keys', body)).body.data)

    const found: string[] = []
    const seen = new Set<number>()
    for (const [method, path] of operations) {
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const response = await client.request(method, `${path}?nonsense=1`, hasBody ? { body: '{}', headers: json } : {})
      seen.add(response.status)
      if (response.status !== 400 && response.status !== 403) found.push(`${method} ${path}: ${response.status}`)
    }
    assert.ok(operations.length > 40 && seen.has(400))
    assert.deepEqual(found, [])
  })
}

test('An invalid body is rejected before the record is looked for', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const [path, body] of [
    [`/api-v1-webhooks/${unknownId}/replay`, {}],
    [`/api-v1-webhooks/${unknownId}/rotate`, { overlap_hours: -1 }],
    [`/api-v1-contacts/${unknownId}/merge`, {}],
    [`/api-v1-contacts/${unknownId}/emails`, {}],
  ] as const)
    assertError(await client.post(path, body), 400, 'VALIDATION_ERROR')
})

/** Parameters of exports, which JSON lists do not take, and a name for any declared field. */
const notOfLists = ['columns', 'raw', 'bom', 'declared']

test('The error for an unknown parameter lists all others of the document', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const missing: string[] = []
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (!get || !path.startsWith('/api-v1-')) continue
    const { body } = await client.get(`${path.replace(/\{\w+\}/g, unknownId)}?nonsense=1`)
    const [, allowed = ''] = body.error.details[0].message.split(/^Unknown parameter "nonsense"; allowed: /)
    for (const each of get.parameters ?? []) {
      const name = 'in' in each && each.in === 'query' ? String(each.name) : undefined
      if (name === undefined || name.includes('[') || notOfLists.includes(name)) continue
      if (!allowed.split(', ').includes(name)) missing.push(`${path}: ${name}`)
    }
  }
  assert.deepEqual(missing, [])
})
