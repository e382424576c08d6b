import type { Route } from '../../../src/engine/api/call/route.ts'
import { isMatchable } from '../../../src/engine/api/upsert/matching.ts'
import { includesOf, type Resource } from '../../../src/engine/records/define.ts'
import { matchable, resources, routes } from '../../../src/features/index.ts'
import { largestBody } from './bodies.ts'
import { type HeavyIds, heavyRequest } from './company.ts'

/** The largest request that a route's limits allow. */
export interface HeavyRequest {
  /** `GET /api-v1-contacts/:id` */
  route: string
  method: string
  /** The path with the query. */
  target: string
  body?: unknown
}

type Target = Omit<HeavyRequest, 'route' | 'method'>
type Targets = (ids: HeavyIds) => Target[]

/** The routes whose largest request does not follow from a definition. */
const special: Readonly<Record<string, Targets>> = {
  'GET /api-v1-keys/:id/usage': ({ key }) => [{ target: `/api-v1-keys/${key}/usage?from=2026-01-01&to=2026-12-31` }],
  'POST /api-v1-keys/:id/revoke': ({ key }) => [{ target: `/api-v1-keys/${key}/revoke` }],
  'GET /api-v1-me': () => [{ target: '/api-v1-me' }],
  'GET /api-v1-search': () => [
    { target: '/api-v1-search?q=a&limit=50' },
    { target: '/api-v1-search?q=ää ää&limit=50' },
  ],
  'POST /api-v1-webhooks/:id/rotate': ({ webhook }) => [{ target: `/api-v1-webhooks/${webhook}/rotate`, body: {} }],
  'POST /api-v1-webhooks/:id/ping': ({ webhook }) => [{ target: `/api-v1-webhooks/${webhook}/ping` }],
  'POST /api-v1-webhooks/:id/replay': ({ webhook }) => [
    { target: `/api-v1-webhooks/${webhook}/replay`, body: { after: 0 } },
  ],
  'GET /api-v1-webhooks/:webhook_id/deliveries': ({ webhook }) => [
    { target: `/api-v1-webhooks/${webhook}/deliveries?limit=100` },
  ],
  'POST /api-v1-webhooks/:webhook_id/deliveries/:delivery_id/redeliver': ({ webhook, hub }) => [
    { target: `/api-v1-webhooks/${webhook}/deliveries/${hub}/redeliver` },
  ],
  'GET /api-v1-bulk/jobs': () => [{ target: '/api-v1-bulk/jobs?limit=100' }],
  'GET /api-v1-bulk/jobs/:id': ({ job }) => [{ target: `/api-v1-bulk/jobs/${job}` }],
  'GET /api-v1-bulk/jobs/:id/results': ({ job }) => [{ target: `/api-v1-bulk/jobs/${job}/results` }],
  'DELETE /api-v1-bulk/jobs/:id': ({ job }) => [{ target: `/api-v1-bulk/jobs/${job}` }],
  'GET /api-v1-proposals': () => [{ target: '/api-v1-proposals?limit=100' }],
  'GET /api-v1-proposals/:id': ({ proposal }) => [{ target: `/api-v1-proposals/${proposal}` }],
  'POST /api-v1-proposals/:id/apply': ({ proposal }) => [{ target: `/api-v1-proposals/${proposal}/apply`, body: {} }],
  'POST /api-v1-proposals/:id/reject': ({ proposal }) => [{ target: `/api-v1-proposals/${proposal}/reject` }],
  'GET /api-v1-changes': () => [
    { target: '/api-v1-changes?limit=1000' },
    { target: `/api-v1-changes?limit=1000&request_id=${heavyRequest}` },
    { target: '/api-v1-changes?limit=1000&request_id=heavy-hot' },
    { target: '/api-v1-changes?limit=1000&types=webhook.created' },
  ],
  'GET /api-v1-snapshot': () => [{ target: '/api-v1-snapshot' }],
  'GET /api-v1-trash': () => [{ target: '/api-v1-trash?limit=100' }, { target: '/api-v1-trash?limit=100&page=10' }],
  'POST /api-v1-undo': ({ hot }) => [
    { target: '/api-v1-undo', body: { request_id: heavyRequest, dry_run: true } },
    { target: '/api-v1-undo', body: { request_id: heavyRequest } },
    { target: '/api-v1-undo', body: { request_id: 'heavy-hot', dry_run: true } },
    { target: `/api-v1-organizations/${hot}/history?limit=100` },
  ],
  'POST /api-v1-trash/:id/restore': ({ erasable }) => [{ target: `/api-v1-trash/${erasable}/restore` }],
  'DELETE /api-v1-trash/:id': ({ erasable }) => [{ target: `/api-v1-trash/${erasable}` }],
}

/** The largest requests of a route; undefined: it is unknown what they are. */
export function heavyRequestsOf(route: Route, ids: HeavyIds): HeavyRequest[] | undefined {
  const name = `${route.method} ${route.path}`
  const targets = special[name]?.(ids) ?? derived(route, ids)
  return targets?.map((target) => ({ route: name, method: route.method, ...target }))
}

/** In an order in which what one needs is not removed by an earlier one. */
export const heavyRoutes: readonly Route[] = routes.toSorted((a, b) => orderOf(a) - orderOf(b))

function orderOf({ method, path }: Route): number {
  const order = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'].indexOf(method)
  if (path === '/api-v1-undo' || path.endsWith('/merge')) return 10
  return path === '/api-v1-trash/:id' && method === 'DELETE' ? 9 : order
}

function derived(route: Route, ids: HeavyIds): Target[] | undefined {
  const resource = resources.find(({ path }) => route.path === `/${path}` || route.path.startsWith(`/${path}/`))
  const bulk = resources.find(({ path }) => route.path === `/${path.replace('api-v1-', 'api-v1-bulk/')}`)
  if (bulk) return [{ target: route.path, body: { records: Array(1_000).fill(recordOf(bulk)) } }]
  if (route.path.startsWith('/api-v1-mail-')) return [ofMail(route, ids)]
  if (!resource) return undefined
  const rest = route.path.slice(resource.path.length + 1)
  const path = `/${resource.path}`
  const id = idOf(resource, ids)
  const include = includesOf(resource).join()
  const body = largestBody(resource)
  if (rest === '') return wholeTargets(route, resource, path, include, body)
  if (rest === '/summary')
    return [{ target: `${path}/summary?group_by=${resource.filters[0]},created_at:day&limit=1000` }]
  if (rest === '/duplicates') return [{ target: `${path}/duplicates?limit=100` }]
  if (rest === '/:id/history') return [{ target: `${path}/${id}/history?limit=100` }]
  if (rest === '/:id/merge') {
    const target = `${path}/${resource.name === 'organization' ? ids.hub : ids.contact}/merge`
    const other = resource.name === 'organization' ? ids.other : ids.otherContact
    return [true, false].map((dry_run) => ({ target, body: { with: [other], dry_run } }))
  }
  if (rest === '/:id' && route.method === 'GET') {
    const asOf = resource.name === 'organization' ? [{ target: `${path}/${id}?as_of=2026-11-25` }] : []
    return [{ target: `${path}/${id}${include && `?include=${include}`}` }, ...asOf]
  }
  if (rest === '/:id') return [{ target: `${path}/${id}`, ...(route.takesBody && { body: { ...body, position: 0 } }) }]
  const further = rest.slice('/:id'.length).replace(/:\w+/g, ids.hub)
  return [{ target: `${path}/${id}${further}`, ...(route.takesBody && { body }) }]
}

/** There are at most a few addresses and mailboxes of a company, and 1,000 entries of the mail log. */
function ofMail({ method, path, takesBody }: Route, { hub }: HeavyIds): Target {
  const query = method === 'GET' && !path.includes(':') ? '?limit=100' : ''
  return { target: path.replace(':id', hub) + query, ...(takesBody && { body: {} }) }
}

function wholeTargets(route: Route, resource: Resource, path: string, include: string, body: object): Target[] {
  if (route.method === 'GET') {
    const limit = `limit=${resource.pageSize.max}`
    const withAll = include ? `&include=${include}` : ''
    return [{ target: `${path}?${limit}${withAll}` }, { target: `${path}?${limit}&page=3${withAll}` }]
  }
  if (route.method === 'PUT') {
    const [matched = 'metadata.key'] = isMatchable(resource) && matchable.includes(resource) ? resource.matchedBy : []
    return [{ target: `${path}?match_on=${matched}`, body }]
  }
  return [{ target: path, body: { ...body, position: 0 } }]
}

/** A record of a bulk import, so large that a thousand of them almost fill a body. */
function recordOf(resource: Resource): object {
  return { ...resource.about.example, metadata: { notes: 'n'.repeat(12_000) } }
}

function idOf({ name }: Resource, ids: HeavyIds): string {
  const known: Readonly<Record<string, string>> = { ...ids, organization: ids.hot, api_key: ids.key }
  return known[name]!
}
