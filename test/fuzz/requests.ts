import type { Route } from '../../src/engine/api/call/route.ts'
import { modes } from '../../src/engine/api/upsert/upsert.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { imported } from '../../src/features/imports/imported.ts'
import { resources, routes } from '../../src/features/index.ts'
import { pluralOf } from '../../src/lib/plural.ts'
import { uniqueKey } from '../support/fields.ts'
import { newBody } from '../support/make.ts'
import type { Random } from '../support/random.ts'
import { drawAgentShot } from './agent.ts'
import { consoleRoutes, drawConsoleShot, memberHeaders } from './console.ts'
import { junkBody, junkPaths, junkText, junkValue } from './junk.ts'
import { addressesPath, drawDelivery, drawMailBody, ignoredSendersPath, mailboxesPath, mailIn } from './mail.ts'
import { type Draw, drawQuery, drawValue, isUpsert, matchedBy, unknownId } from './queries.ts'
import { markFor, proposalsPath } from './tenant.ts'
import type { Shot } from './wire.ts'

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']

/** Bodies of the routes that do not belong to a resource, by path. */
/** The people on deals: few pairs, so that those that are added are also removed. */
const peoplePath = '/api-v1-deals/:id/contacts/:contact_id'

const furtherBodies: Record<string, (random: Random) => Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.values(imported).map((resource) => [
      `/api-v1-bulk/${pluralOf(resource)}`,
      (random: Random) => ({ ...drawEnvelope(random, resource), records: [newBody(resource)] }),
    ]),
  ),
  '/api-v1-webhooks/:id/rotate': (random) => ({ overlap_hours: random.below(169) }),
  '/api-v1-webhooks/:id/replay': (random) => ({ after: random.below(3), only_failed: random.below(2) === 0 }),
  [peoplePath]: (random) => ({ role: random.pick(['Buyer', '', null]) }),
  '/api-v1-undo': (random) => ({ seq: 1 + random.below(99), dry_run: random.below(2) === 0 }),
}

function drawEnvelope(random: Random, resource: Resource): Record<string, unknown> {
  const match_on = random.pick([undefined, ...matchedBy(resource)])
  const mode = match_on && random.pick([undefined, ...modes])
  return { match_on, mode, dry_run: random.pick([undefined, true, false]) }
}

/** Half of the requests are valid except for ids; in the others, anything may be invalid. `wanted`: the route, such as `GET /path`, if it is one of the API or of the console. */
export function drawShot(draw: Draw, wanted?: string): Shot {
  const { random } = draw
  const isWanted = ({ method, path }: { method: string; path: string }) => `${method} ${path}` === wanted
  const [route, page] = wanted === undefined ? [] : [routes.find(isWanted), consoleRoutes.find(isWanted)]
  if (route) return drawRouteShot(draw, route)
  if (page) return drawConsoleShot(draw, page)
  if (random.below(40) === 0) return drawUnknownPath(draw)
  if (random.below(6) === 0) return drawConsoleShot(draw)
  if (random.below(10) === 0) return drawAgentShot(draw)
  if (random.below(60) === 0) return drawPublicDelivery(draw)
  return drawRouteShot(draw, random.pick(routes))
}

function drawRouteShot(draw: Draw, route: Route): Shot {
  const { random, tenant } = draw
  const valid = random.below(2) === 0
  const resource = resourceOf(route.path)
  const delivery = isDelivery(route) ? drawDelivery(draw, route.path, valid) : undefined
  const target = delivery?.target ?? `${drawPath(draw, route, valid)}${drawQuery(draw, route, resource, valid)}`
  const method = valid || random.below(10) > 0 ? route.method : random.pick(methods)
  const isUpload = route.takesFile !== undefined
  const body = delivery
    ? delivery.body
    : isUpload
      ? Buffer.from(valid ? tenant.mark : junkText(random))
      : route.takesBody || random.below(30) === 0
        ? drawBody(draw, route, resource, valid)
        : undefined
  const isUser = random.below(8) === 0 || route.path.startsWith(`${proposalsPath}/:id/`) // only users decide
  const key = isOfMail.test(route.path) && random.below(2) === 0 ? random.pick(tenant.ownKeys) : tenant.key
  const caller = !isUser ? { Authorization: `Bearer ${key}` } : memberHeaders(draw, tenant.members[random.below(2)]!)
  const headers = {
    ...caller,
    ...(body && {
      'Content-Type': delivery ? 'message/rfc822' : isUpload ? 'text/plain' : 'application/json',
      'Content-Length': String(body.length),
    }),
    ...drawHeaders(draw, valid),
  }
  return { route: method === route.method ? route.path : undefined, method, target, headers, body }
}

/** Routes whose responses depend on the person. */
const isOfMail = /^\/api-v1-(?:messages|mail-|files|search|changes|snapshot|trash|undo)/

function isDelivery({ path, takesFile }: Route): boolean {
  return takesFile !== undefined && path === '/api-v1-messages'
}

function drawPublicDelivery(draw: Draw): Shot {
  const { target, body } = drawDelivery(draw, mailIn, draw.random.below(3) > 0)
  const headers = { 'Content-Type': 'message/rfc822', 'Content-Length': String(body!.length) }
  return { route: mailIn, method: 'POST', target, headers, body }
}

function drawUnknownPath({ random, tenant }: Draw): Shot {
  const headers = { Authorization: `Bearer ${tenant.key}` }
  return { route: undefined, method: random.pick(methods), target: random.pick(junkPaths), headers, body: undefined }
}

function resourceOf(path: string): Resource | undefined {
  return resources.find((resource) => path === `/${resource.path}` || path.startsWith(`/${resource.path}/`))
}

function drawPath({ random, tenant, others }: Draw, { path }: Route, valid: boolean): string {
  const collection = path.slice(0, path.lastIndexOf('/:'))
  const whose = random.below(valid ? 8 : 3) === 0 ? random.pick(others) : tenant
  const known = whose.places.get(collection) ?? whose.places.get(collection.replace(/\/[\w-]+$/, '')) ?? []
  const first = (of: string) => random.pick((whose.places.get(of) ?? []).slice(-2))?.id ?? unknownId
  const own: Record<string, string> =
    path === peoplePath
      ? { id: first('/api-v1-deals'), contact_id: first('/api-v1-contacts') }
      : path.includes(':') && known.length > 0
        ? random.pick(known)
        : {}
  return path.replace(/:(\w+)/g, (_, name: string) =>
    valid || random.below(4) > 0 ? (own[name] ?? own.id ?? unknownId) : junkText(random),
  )
}

/** Values of a body that can be matched with a record. */
function matchValues(draw: Draw, resource: Resource): Record<string, unknown> {
  const mark = markFor(draw.tenant, `/${resource.path}`)
  const own = resource.matchedBy.filter((name) => Object.hasOwn(resource.fields, name))
  const items = Object.entries(resource.collections).map(([name, { fields }]) => {
    const [field] = Object.values(fields)
    return [name, [{ [field!.name]: drawValue(draw, field!, resource) }]]
  })
  return {
    metadata: { by: mark, [uniqueKey]: `${mark} ${draw.random.below(50)}` },
    ...Object.fromEntries(own.map((name) => [name, drawValue(draw, resource.fields[name]!, resource)])),
    ...Object.fromEntries(items),
  }
}

function drawBody(draw: Draw, route: Route, resource: Resource | undefined, valid: boolean): Buffer {
  const { random } = draw
  if (!valid && random.below(6) === 0) return junkBody(random)
  const isMerge = resource !== undefined && route.path.endsWith('/merge')
  const body =
    furtherBodies[route.path]?.(random) ??
    (isMailPath(route.path) ? drawMailBody(draw, route.path) : undefined) ??
    (isMerge ? drawMerge(draw, resource) : resource ? bodyOf(draw, route, resource) : {})
  if (resource && isUpsert(route)) Object.assign(body, matchValues(draw, resource))
  if (!valid) {
    const names = [...Object.keys(body), ...Object.keys(resource?.fields ?? {}), 'unknown']
    for (let i = random.below(3); i >= 0; i--) body[random.pick(names)] = junkValue(random)
  }
  return Buffer.from(JSON.stringify(body))
}

function isMailPath(path: string): boolean {
  return [addressesPath, mailboxesPath, ignoredSendersPath].some((each) => path.startsWith(each))
}

function drawMerge(draw: Draw, resource: Resource): Record<string, unknown> {
  const { random, tenant, others } = draw
  const whose = random.below(8) === 0 ? random.pick(others) : tenant
  const known = whose.places.get(`/${resource.path}`) ?? []
  const ids = [0, 1].map(() => (known.length > 0 ? random.pick(known).id : unknownId))
  const name = random.pick(Object.values(resource.fields).filter(({ readonly }) => !readonly))
  return {
    with: [...new Set(ids)],
    prefer: random.pick(['this', 'newest']),
    fields: random.below(3) === 0 ? { [name.name]: drawValue(draw, name, resource) } : {},
    dry_run: random.below(3) === 0,
  }
}

/** A body that is valid except for ids. */
function bodyOf(draw: Draw, route: Route, resource: Resource): Record<string, unknown> {
  const { random } = draw
  const [, , part] = route.path.slice(1).split('/:id')[1]?.split('/') ?? []
  const collection = resource.collections[route.path.split('/')[3] ?? part ?? '']
  const fields = Object.values(collection?.fields ?? resource.fields).filter(({ readonly }) => !readonly)
  const takes = resource.actions.find((action) => route.path.endsWith(`/${action.path}`))?.takes
  const needed = fields.filter((field) => field.required !== undefined || field.name === takes)
  const chosen = fields.filter((field) => needed.includes(field) || random.below(4) === 0)
  const body = Object.fromEntries(chosen.map((field) => [field.name, drawValue(draw, field, resource)]))
  for (const [name, { fields: of }] of Object.entries(collection ? {} : resource.collections)) {
    const item = () =>
      Object.fromEntries(Object.values(of).map((field) => [field.name, drawValue(draw, field, resource)]))
    if (random.below(4) === 0) body[name] = [item(), item()]
  }
  return body
}

function drawHeaders({ random, tenant }: Draw, valid: boolean): Record<string, string> {
  const draws: (() => Record<string, string>)[] = [
    () => ({ 'Idempotency-Key': `again-${random.below(50)}` }),
    () => ({ 'If-Match': '"AAAAAAAAAAAAAAAAAAAAAA"' }),
    () => ({ 'If-None-Match': '*' }),
    () => ({ 'X-Request-Id': `fuzz-${random.below(1000)}` }),
  ]
  const invalid: (() => Record<string, string>)[] = [
    () => ({ Authorization: random.pick(['', 'Bearer', `Basic ${tenant.key}`, `Bearer ${tenant.key}x`]) }),
    () => ({
      'Content-Type': random.pick(['text/plain', 'application/json; charset=utf-16', ';', 'application/json']),
    }),
    () => ({ 'Content-Encoding': random.pick(['gzip', 'br', 'nonsense']) }),
    () => ({ 'Idempotency-Key': 'x'.repeat(300) }),
    () => ({ Accept: 'text/html', 'X-Request-Id': '\x7f'.slice(1) }),
    () => ({ 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9;proto=https' }),
  ]
  if (random.below(4) > 0) return {}
  return random.pick(valid ? draws : [...draws, ...invalid])()
}
