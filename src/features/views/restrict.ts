import { grants, missingScope } from '../../access/scopes.ts'
import { isOf } from '../../crm/restrictions.ts'
import { type ApiResponse, shown, textOf } from '../../engine/api/call/http-response.ts'
import { type Call, type Caller, checkingWrites, type Route, withoutRecord } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { type Approached, conditionAmong, conditionBy, conditionOn } from '../../engine/finding/list/approach.ts'
import type { Scopes } from '../../engine/records/definition/resource.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'
import { notFound } from '../../engine/records/select.ts'
import { parseUuid } from '../../lib/uuid.ts'
import type { Reader } from '../../store/reader.ts'
import { faultsOf, type SavedQuery, viewed } from './query.ts'
import { view } from './view.ts'

const path = `/${view.path}`

/** What decides who may use a view. */
interface Access {
  resource: string
  /** The user of a personal view. */
  user_id: string | null
}

/** Whether a view exists for a caller: another user's personal one does not. */
export function isVisible({ user_id }: Access, { userId }: Caller): boolean {
  return user_id === null || user_id === userId
}

/**
 * Restricts the routes of views to those that the caller may use: personal views need the scope that reads their resource, shared ones that
 * which the method needs (decision J7).
 */
export function restrictViews(route: Route): Route {
  if (!isOf(route, view.path)) return route
  const scope = route.method === 'GET' ? 'read:any' : 'any'
  const own = { ...route, scope, cacheable: false, describe: describing(route) }
  if (route.path === path && route.method === 'GET') return { ...own, run: (call) => showing(call, listVisible(call)) }
  const narrow = route.method === 'POST' ? requireNew : (call: Call) => requireVisible(call, route)
  const showsView = route.method !== 'DELETE' && !route.path.endsWith('/history')
  return { ...own, narrow, run: (call) => (showsView ? showing(call, route.run(call)) : route.run(call)) }
}

function listVisible(call: Call): ReturnType<Route['run']> {
  const { scopes, userId } = call.caller
  const readable = viewed.filter((resource) => grants(scopes, resource.scopes.read))
  const among = conditionAmong(
    view,
    'resource',
    readable.map(({ name }) => name),
  )
  return list(view, call, [among, ownedBy(userId)])
}

/** Shared views, and those of a user. */
function ownedBy(userId: string | undefined): Approached {
  if (userId === undefined) return conditionOn(view, 'visibility', 'eq', 'shared')
  return conditionBy(view, 'visibility', { sql: '(user_id IS NULL OR user_id = ?)', params: [userId] })
}

/** Throws INSUFFICIENT_PERMISSIONS, now or at the moment of the write. Other faults of the body are found later. */
function requireNew(call: Call): Call {
  const { resource, visibility } = call.body
  const name = typeof resource === 'string' ? resource.trim() : ''
  const isPersonal = typeof visibility === 'string' && visibility.trim() === 'personal'
  const access = { resource: name, user_id: isPersonal ? (call.caller.userId ?? '') : null }
  const check = (caller: Caller) => requireScope(caller, access, 'write')
  check(call.caller)
  return checkingWrites(call, (_, caller) => check(caller))
}

/** Throws INSUFFICIENT_PERMISSIONS, now or at the moment of the write. What does not exist is found out afterwards. */
function requireVisible(call: Call, { method }: Route): Call {
  const kind = method === 'GET' ? 'read' : 'write'
  const isFound = (reader: Reader, caller: Caller) => {
    const access = lookupAccess(reader, call.params.id!)
    if (!access || !isVisible(access, caller)) return false
    requireScope(caller, access, kind)
    return true
  }
  if (!isFound(call.reader, call.caller) && kind === 'read') return withoutRecord(call)
  return checkingWrites(call, (tx, caller) => {
    if (!isFound(tx, caller)) throw notFound(view)
  })
}

/** Also of a deleted view, which has a history. */
function lookupAccess(reader: Reader, id: string): Access | undefined {
  const sql = 'SELECT resource, user_id FROM view WHERE workspace_id = :workspace AND id = ?'
  return reader.row<Access>(sql, parseUuid(id) ?? '')
}

/** A resource that does not exist is a fault of the body. */
function requireScope({ scopes }: Caller, { resource: name, user_id }: Access, kind: keyof Scopes): void {
  const needed = viewed.find((each) => each.name === name)?.scopes[user_id === null ? kind : 'read']
  if (needed === undefined || grants(scopes, needed)) return
  throw missingScope(needed)
}

/** Sets `broken` in the views that a response shows. */
async function showing({ reader }: Call, given: ReturnType<Route['run']>): Promise<ApiResponse> {
  const whole = await given
  const { data, ...rest } = JSON.parse(await textOf(whole))
  const { parts: _, ...response } = whole
  if (Array.isArray(data))
    return { ...response, body: JSON.stringify({ data: data.map((each) => current(each, reader)), ...rest }) }
  const { body, etag } = shown(response.status, JSON.stringify(current(data, reader)), view)
  return { ...response, body, etag: etag! }
}

/** The JSON text of a view, with the current value of `broken`. */
export function withBroken(text: string, reader: Reader): string {
  return JSON.stringify(current(JSON.parse(text), reader))
}

function current(record: SavedQuery, reader: Reader): unknown {
  return { ...record, broken: faultsOf(record, reader).length > 0 }
}

const reading = 'Requires the scope that reads the resource of the view.'
const writing = 'A shared view requires the scope that writes its resource, a personal one the scope that reads it.'

function describing({ method, describe }: Route): Route['describe'] {
  return (doc: Describer): Description => {
    const description = describe(doc)
    const kinds: (keyof Scopes)[] = method === 'GET' ? ['read'] : ['read', 'write']
    const scopes = [...new Set(viewed.flatMap((resource) => kinds.map((kind) => resource.scopes[kind])))]
    const details = [description.details, method === 'GET' ? reading : writing].filter(Boolean).join(' ')
    return { ...description, scopes, details }
  }
}
