import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scope, scopes } from '../../src/access/scopes.ts'
import type { Route } from '../../src/engine/api/call/route.ts'
import { routesOf } from '../../src/engine/api/routes.ts'
import type { Collection, Resource } from '../../src/engine/records/define.ts'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { pathOf, tested, unknownId } from '../support/contract.ts'
import { type JsonRecord, make, newBody, newItems, newLinks } from '../support/make.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

const readScopes = scopes.filter((scope) => scope.startsWith('read:'))

const requiredScope = ({ scopes }: Resource, { method }: Route) => (method === 'GET' ? scopes.read : scopes.write)

const suffices = (held: string, required: string) =>
  [required, 'admin:all'].includes(held) ||
  (required !== 'admin:all' && held === `${required.split(':')[0]}:all`) ||
  (required === 'read:any' && held.startsWith('read:'))

/** What a key needs besides the scope that changes a resource, with the reason. */
const alsoRequired: Readonly<Record<string, readonly Scope[]>> = {
  webhook: ['read:all'], // it sends what this scope lets a key read
}

/** The collection whose items a route changes. */
const collectionAt = ({ path }: Route, { collections }: Resource): Collection | undefined =>
  collections[path.split('/')[3] ?? '']

/** A body that the route accepts: that of a new record or item, or the current values of an existing one. */
function bodyFor(route: Route, resource: Resource, record: JsonRecord): object {
  const about = collectionAt(route, resource)?.about
  if (route.method === 'POST') return about?.second ?? { ...newBody(resource), ...referencesOf(resource, record) }
  if (resource.name === 'message') return resource.about.patch! // the status that it has is no valid one
  return about?.first ?? (route.method === 'PUT' ? {} : record)
}

/** The records to which a record must refer. */
function referencesOf({ fields }: Resource, record: JsonRecord): object {
  const required = Object.values(fields).filter(({ required, target }) => target && required !== undefined)
  return Object.fromEntries(required.map(({ name }) => [name, record[name]]))
}

function call(client: Client, { method }: Route, path: string, body: object): Promise<ApiResponse> {
  const headers = { 'Content-Type': 'application/json' }
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return client.request(method, path, takesBody ? { headers, body: JSON.stringify(body) } : {})
}

/** Views require the scopes of the resource that they are about: test/features/views/views-access.test.ts. */
for (const resource of tested.filter(({ name }) => name !== 'view')) {
  test(`Scopes of ${resource.path}`, async (t) => {
    const server = await start(t)
    const company = await server.company('Acme')

    for (const route of routesOf(resource)) {
      const required = requiredScope(resource, route)
      const accepted = required === 'read:any' ? readScopes.join(' or ') : required
      const message = `Insufficient permissions. Required scope: ${accepted}`

      for (const scope of scopes.filter((each) => suffices(each, required))) {
        await t.test(`${route.method} ${route.path}: ${scope} is sufficient`, async () => {
          const client = await company.key({ scopes: [...new Set([scope, ...(alsoRequired[resource.name] ?? [])])] })
          const parts = { ...newItems(resource), ...(await newLinks(company.client, resource)) }
          const record = await make(company.client, resource.name, parts)

          const { status } = await call(
            client,
            route,
            pathOf(route, resource, record),
            bodyFor(route, resource, record),
          )

          assert.equal(status, route.method === 'POST' ? 201 : 200)
        })
      }

      await t.test(`${route.method} ${route.path}: all other scopes are insufficient, also together`, async () => {
        const others = scopes.filter((each) => !suffices(each, required))
        const record = await make(company.client, resource.name, newItems(resource))

        for (const held of [...others.map((scope) => [scope]), others]) {
          const client = await company.key({ scopes: held })
          const response = await call(client, route, pathOf(route, resource, record), bodyFor(route, resource, record))

          assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', message)
        }
      })

      await t.test(`${route.method} ${route.path}: scopes are checked before body, query and record`, async () => {
        const client = await company.key({ scopes: scopes.filter((each) => !suffices(each, required)) })
        const path = (id: string) => route.path.replace(/:\w+/g, id)

        const responses = [
          await call(client, route, path(unknownId), { metadata: 5 }),
          await call(client, route, `${path('no-uuid')}?nonsense=1`, {}),
        ]

        for (const response of responses) assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', message)
      })
    }
  })
}
