import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../src/access/scopes.ts'
import { resources } from '../../src/crm/index.ts'
import type { Resource } from '../../src/engine/define.ts'
import { type Route, routesOf } from '../../src/engine/routes.ts'
import { type Answer, assertError, type Client } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { bodies, type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decisions E1, E2; the others by their own names (spec: Scopes) */
const scopedAs: Record<string, string> = { 'api-v1-stages': 'deals', 'api-v1-users': 'any' }

const requiredScope = ({ path }: Resource, { method }: Route) =>
  `${method === 'GET' ? 'read' : 'write'}:${scopedAs[path] ?? path.replace('api-v1-', '')}`
const suffices = (held: string, required: string) =>
  [required, `${required.split(':')[0]}:all`, 'admin:all'].includes(held) ||
  (required === 'read:any' && held.startsWith('read:'))

/** What a call may send: a new record, or a record's own values, which every patch of it takes. */
const bodyFor = ({ method }: Route, resource: Resource, record: JsonRecord) =>
  method === 'POST' ? bodies[resource.name]!() : record

function call(client: Client, { method, path }: Route, id: string, body: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' }
  const takesBody = method === 'POST' || method === 'PATCH'
  return client.request(method, path.replace(':id', id), takesBody ? { headers, body: JSON.stringify(body) } : {})
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
          const record = await make(company.client, resource.name)

          const { status } = await call(client, route, record.id, bodyFor(route, resource, record))

          assert.equal(status, route.method === 'POST' ? 201 : 200)
        })
      }

      await t.test(`keep every other one from ${route.method} ${route.path}, all together too`, async () => {
        const others = scopes.filter((each) => !suffices(each, required))
        const record = await make(company.client, resource.name)

        for (const held of [...others.map((scope) => [scope]), others]) {
          const client = await company.key({ scopes: held })
          const answer = await call(client, route, record.id, bodyFor(route, resource, record))

          assertError(answer, 403, 'INSUFFICIENT_PERMISSIONS', message)
        }
      })

      await t.test(`are asked for by ${route.method} ${route.path} before body, query and record`, async () => {
        const client = await company.key({ scopes: scopes.filter((each) => !suffices(each, required)) })
        const queried = { ...route, path: `${route.path}?nonsense=1` }

        const answers = [
          await call(client, route, unknownId, { metadata: 5 }),
          await call(client, queried, 'no-uuid', {}),
        ]

        for (const answer of answers) assertError(answer, 403, 'INSUFFICIENT_PERMISSIONS', message)
      })
    }
  })
}
