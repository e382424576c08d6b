import { schema } from '../../src/commands/open-store.ts'
import { framePath } from '../../src/console/message-frame.ts'
import { consoleRoutes as consoleRoutesOf } from '../../src/console/serve.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { noDurability } from '../../src/store/durability.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openConnection } from '../../src/store/open.ts'
import { Store } from '../../src/store/store.ts'
import { password } from '../support/visitor.ts'
import { junkBody, junkText, junkValue } from './junk.ts'
import type { Draw } from './queries.ts'
import { deliveriesPath, type Member, staff } from './tenant.ts'
import type { Shot } from './wire.ts'

/** The routes of the console in addition to the API, with that of frames with mails. */
export const consoleRoutes = [...listRoutes(), { method: 'GET', path: framePath, takesBody: false }]

/** Routes that hash a password, which takes long by design. */
const costly = ['/console/session', '/console/password', '/console/invitation/accept', '/console/account']
const costlyEvery = 6
/** Routes that end a session. Only some users send these requests. */
const leaving = staff.flatMap(({ leaves }) => leaves ?? [])

const sites = ['cross-site', 'same-site', 'none']

/** A request of the console's pages, or one that pretends to be: to a route of `consoleRoutes`, by default any. */
export function drawConsoleShot(draw: Draw, wanted?: (typeof consoleRoutes)[number]): Shot {
  const { random, tenant } = draw
  const route = wanted ?? random.pick(consoleRoutes)
  if (!wanted && route.takesBody && costly.includes(route.path) && random.below(costlyEvery) > 0)
    return drawConsoleShot(draw)
  const valid = random.below(3) > 0
  const leaves = leaving.find((each) => each === `${route.method} ${route.path}`) ?? null
  const member = random.pick(tenant.members.filter((each) => each.leaves === leaves))
  const body = route.takesBody ? drawBody(draw, route.path, member, valid) : undefined
  const headers = {
    ...memberHeaders(draw, member),
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
    ...(valid ? {} : drawSuspicion(draw)),
  }
  return { route: route.path, method: route.method, target: drawPath(draw, route.path, valid), headers, body }
}

/** The headers by which a request belongs to a signed-in user instead of a key. */
export function memberHeaders({ tenant }: Draw, { cookie }: Member): Record<string, string> {
  return { Cookie: cookie, 'Kontor-Environment': tenant.environment }
}

function listRoutes() {
  const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
  migrate(db, schema.schema, schema.steps)
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  return consoleRoutesOf(store).map(({ method, path, takesBody }) => ({
    method,
    path,
    takesBody,
  }))
}

function drawPath(draw: Draw, path: string, valid: boolean): string {
  const { random, tenant, others } = draw
  if (path === framePath) return drawFrame(draw, valid)
  const whose = random.below(3) === 0 ? random.pick(others) : tenant
  const known = whose.places.get('/console/users') ?? []
  const activities = path === '/console/activity-keys' ? (whose.places.get('/api-v1-activities') ?? []) : []
  const ofActivities = activities.length > 0 && valid ? `?ids=${random.pick(activities).id}` : ''
  const deals = path === '/console/stage-ages' ? (whose.places.get('/api-v1-deals') ?? []) : []
  const ofDeals = deals.length > 0 && valid ? `?id=${random.pick(deals).id}` : ofActivities
  const asked = path === '/console/read' && valid ? `?${drawReads(random, whose)}` : ofDeals
  const query = !valid && random.below(4) === 0 ? `?${junkText(random)}=${junkText(random)}` : asked
  const deliveries = (whose.places.get(deliveriesPath) ?? []).map(({ delivery_id }) => delivery_id!)
  const ids = path.includes('webhook-deliveries') ? deliveries : known.map(({ id }) => id!)
  const id = () => (ids.length > 0 && (valid || random.below(4) > 0) ? random.pick(ids) : junkText(random))
  return path.replace(/:id/, id) + query
}

/** A frame with a message that is known, whoever may see it. */
function drawFrame({ random, tenant, others }: Draw, valid: boolean): string {
  const whose = random.below(valid ? 8 : 3) === 0 ? random.pick(others) : tenant
  const messages = whose.places.get('/api-v1-messages') ?? []
  const id = messages.length > 0 && (valid || random.below(4) > 0) ? random.pick(messages).id! : junkText(random)
  const environment = valid || random.below(4) > 0 ? tenant.environment : junkText(random)
  const query = random.pick(['', '', '?remote=1'])
  return framePath.replace(':environment', environment).replace(':id', id) + query
}

/** One to four paths that are read together: lists, and records of any workspace. */
function drawReads(random: Draw['random'], { places }: Draw['tenant']): string {
  const lists = ['organizations', 'contacts', 'deals?limit=3', 'tasks', 'changes?after=now'].map(
    (each) => `/api-v1-${each}`,
  )
  const records = (places.get('/api-v1-organizations') ?? []).map(({ id }) => `/api-v1-organizations/${id}`)
  const targets = [...lists, ...records.slice(-5), '/console/latest-changes', '/console/session']
  const drawn = Array.from({ length: 1 + random.below(4) }, () => random.pick(targets))
  return drawn.map((target) => `get=${encodeURIComponent(target)}`).join('&')
}

function drawBody(draw: Draw, path: string, member: Member, valid: boolean): Buffer {
  const { random } = draw
  if (!valid && random.below(6) === 0) return junkBody(random)
  const body = bodyOf(draw, path, member)
  if (!valid) for (let i = random.below(3); i >= 0; i--) body[random.pick(Object.keys(body))] = junkValue(random)
  return Buffer.from(JSON.stringify(body))
}

function bodyOf({ random, tenant }: Draw, path: string, { email }: Member): Record<string, unknown> {
  const name = `${tenant.companyMark} ${random.below(1000)}`
  const address = `${tenant.companyMark}.${random.below(1000)}@kontor.example`
  const role = random.pick(['owner', 'admin', 'member'])
  const token = random.pick(tenant.invitations) ?? 'none'
  const further: Record<string, Record<string, unknown>> = {
    '/console/setup': { token, company_name: name, full_name: name, email: address, password },
    '/console/session': { email, password },
    '/console/password': { current_password: password, new_password: password },
    '/console/invitation/accept': { token, password },
    '/console/account': { full_name: name },
    '/console/notices/read': { until: '2026-11-25T00:00:00.000Z' },
    '/console/users': { full_name: name, email: address, role },
    '/console/calendar': { time_zone: random.pick(['Europe/Berlin', 'UTC', name]) },
    '/console/users/:id': random.pick([
      { full_name: name },
      { email: address },
      { role },
      { is_active: random.below(2) === 0 },
    ]),
    '/console/company': random.pick<Record<string, unknown>>([
      { phone_country: random.pick(['DE', 'us', '', name, null]) },
      { name, ...(random.below(4) === 0 && { known_name: name }) },
    ]),
  }
  return further[path] ?? { token }
}

/** Headers of another site or of an invalid session. */
function drawSuspicion({ random, others }: Draw): Record<string, string> {
  return random.pick([
    () => ({ Cookie: '' }),
    () => ({ Cookie: `kontor_session=${'x'.repeat(43)}` }),
    () => ({ Cookie: random.pick(random.pick(others).members).cookie.slice(0, -1) }),
    () => ({ 'Kontor-Environment': random.pick(['', 'neither', '__proto__']) }),
    () => ({ 'Sec-Fetch-Site': random.pick(sites) }),
    () => ({ Origin: random.pick(['null', 'https://evil.example', ':']) }),
    () => ({ 'Content-Type': 'text/plain' }),
    () => ({}),
  ])()
}
