import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../src/access/scopes.ts'
import { resources } from '../../src/crm/index.ts'
import type { Resource } from '../../src/engine/definition/define.ts'
import type { Route } from '../../src/engine/route.ts'
import { routesOf } from '../../src/engine/routes.ts'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { bodies, type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decisions E1, E2; the others by their own names (spec: Scopes) */
const scopedAs: Record<string, string> = { 'api-v1-stages': 'deals', 'api-v1-users': 'any' }

const requiredScope = ({ path }: Resource, { method }: Route) =>
  path === 'api-v1-keys'
    ? 'admin:all'
    : `${method === 'GET' ? 'read' : 'write'}:${scopedAs[path] ?? path.replace('api-v1-', '')}`

const suffices = (held: string, required: string) =>
  [required, 'admin:all'].includes(held) ||
  (required !== 'admin:all' && held === `${required.split(':')[0]}:all`) ||
  (required === 'read:any' && held.startsWith('read:'))

const address = { email: 'grace@nordwind.example', phone_number: '+49 30 1234567' }

/** What a call may send: a new record, or a record's own values, which every patch of it takes; an item's are beside them. */
const bodyFor = ({ method }: Route, resource: Resource, record: JsonRecord) => ({
  ...(method === 'POST' ? bodies[resource.name]!() : record),
  ...(method === 'POST' ? { email: 'ada@nordwind.example', phone_number: '+49 30 7654321' } : address),
})

const made = (client: Client, { name, collections }: Resource) =>
  make(client, name, Object.fromEntries(Object.keys(collections).map((each) => [each, [address]])))

function call(
  client: Client,
  { method, path: pattern }: Route,
  record: JsonRecord,
  body: object,
): Promise<ApiResponse> {
  const path = pattern
    .replace(':id', record.id)
    .replace(':email_id', record.contact_emails?.[0].id)
    .replace(':phone_id', record.contact_phones?.[0].id)
  const headers = { 'Content-Type': 'application/json' }
  const takesBody = method === 'POST' || method === 'PATCH'
  return client.request(method, path, takesBody ? { headers, body: JSON.stringify(body) } : {})
}

for (const resource of resources) {
  test(`Scopes of ${resource.path}`, async (t) => {
    const server = await start(t)
    const company = await server.company('Acme')

    for (const route of routesOf(resource)) {
      const required = requiredScope(resource, route)
      const message = `Insufficient permissions. Required scope: ${required === 'read:any' ? 'any read scope' : required}`

      for (const scope of scopes.filter((each) => suffices(each, required))) {
        await t.test(`let ${scope} alone ${route.method} ${route.path}`, async () => {
          const client = await company.key({ scopes: [scope] })
          const record = await made(company.client, resource)

          const { status } = await call(client, route, record, bodyFor(route, resource, record))

          assert.equal(status, route.method === 'POST' ? 201 : 200)
        })
      }

      await t.test(`keep every other one from ${route.method} ${route.path}, all together too`, async () => {
        const others = scopes.filter((each) => !suffices(each, required))
        const record = await made(company.client, resource)

        for (const held of [...others.map((scope) => [scope]), others]) {
          const client = await company.key({ scopes: held })
          const response = await call(client, route, record, bodyFor(route, resource, record))

          assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', message)
        }
      })

      await t.test(`are asked for by ${route.method} ${route.path} before body, query and record`, async () => {
        const client = await company.key({ scopes: scopes.filter((each) => !suffices(each, required)) })
        const queried = { ...route, path: `${route.path}?nonsense=1` }

        const responses = [
          await call(client, route, { id: unknownId }, { metadata: 5 }),
          await call(client, queried, { id: 'no-uuid' }, {}),
        ]

        for (const response of responses) assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', message)
      })
    }
  })
}
