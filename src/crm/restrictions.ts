import type { Rights } from '../access/author-rights.ts'
import { type ApiKey, findKey } from '../access/key.ts'
import { grants, missingScope } from '../access/scopes.ts'
import { findUser } from '../access/user.ts'
import { type Call, type Caller, type Route, withoutRecord } from '../engine/api/call/route.ts'
import { list } from '../engine/api/lists/list.ts'
import { type Approached, conditionOn } from '../engine/finding/list/approach.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describe } from '../engine/records/describe.ts'
import { lookupText } from '../engine/records/select.ts'
import { forbidden, validationError } from '../errors.ts'
import { parseUuid } from '../lib/uuid.ts'
import type { Writer } from '../store/reader.ts'
import { apiKey } from './api-key.ts'
import { pipeline } from './pipeline.ts'
import { stage } from './stage.ts'

/** What only owners and admins change, besides keys that belong to nobody. */
const settings: readonly Resource[] = [pipeline, stage]

/** Restricts routes beyond scopes: only admins change pipelines and stages, and members and test keys manage only some of the keys. */
export function restrict(route: Route): Route {
  if (isOf(route, apiKey.path)) return restrictToAllowedKeys(route)
  if (route.method !== 'GET' && settings.some(({ path }) => isOf(route, path))) {
    return { ...route, adminsOnly: true, describe: withDetails(route, forAdmins) }
  }
  return route
}

/** Throws INSUFFICIENT_PERMISSIONS if the caller may not change records of a resource. */
export function requireWrite({ scopes, isMember }: Rights, { name, scopes: { write } }: Resource): void {
  if (!grants(scopes, write)) throw missingScope(write)
  if (!isMember || !settings.some((each) => each.name === name)) return
  throw forbidden(`Only owners and admins may change ${name}s, not members`)
}

const forAdmins = 'Members of the company and their personal keys get 403. Shared keys are allowed.'

/** The documentation of a route, with further details. */
export function withDetails({ describe }: Route, text: string): Describe {
  return (doc) => {
    const description = describe(doc)
    return { ...description, details: [description.details, text].filter(Boolean).join(' ') }
  }
}

/** Whether a route is one of a resource with this path. */
export function isOf({ path }: Route, resourcePath: string): boolean {
  return path === `/${resourcePath}` || path.startsWith(`/${resourcePath}/`)
}

/** Shows and changes only the keys that the caller may manage: a member's own, test keys for a test key, and none of an owner for others (decisions A12, E5). */
function restrictToAllowedKeys(route: Route): Route {
  const open = { ...route, openToMembers: true, cacheable: false } // what is shown depends on the caller
  if (route.method === 'PATCH') return { ...withinRank(open), narrow: requireAllowedKey }
  if (route.path !== `/${apiKey.path}`) return { ...open, narrow: requireAllowedKey }
  return route.method === 'GET' ? { ...open, run: listAllowedKeys } : { ...withinRank(open), narrow: completeNewKey }
}

function listAllowedKeys(call: Call): ReturnType<Route['run']> {
  const allowed = allowedOf(call.caller)
  return list(apiKey, call, allowed ? [allowed.condition] : [])
}

function completeNewKey(call: Call): Call {
  const allowed = allowedOf(call.caller)
  return allowed ? { ...call, body: allowed.body(call.body) } : call
}

function requireAllowedKey(call: Call): Call {
  const allowed = allowedOf(call.caller)
  if (!allowed) return call
  allowed.body(call.body)
  const id = parseUuid(call.params.id!) ?? ''
  const isThere = lookupText(apiKey, call.reader, id) !== undefined
  return isThere && allowed.has(findKey(call.access, id)) ? call : withoutRecord(call)
}

/** The keys of a company that a caller may manage. */
interface Allowed {
  condition: Approached
  has(key: ApiKey): boolean
  /** Completes the body of a request that creates or changes a key. Throws ApiError if the resulting key would not be allowed. */
  body(given: Call['body']): Call['body']
}

/** The keys that a caller may manage; undefined: all keys of the company. */
function allowedOf({ user, isMember, environment }: Caller): Allowed | undefined {
  if (user) return isMember ? ownKeys(user.id) : undefined
  return environment === 'test' ? testKeys : undefined
}

function ownKeys(userId: string): Allowed {
  return {
    condition: conditionOn(apiKey, 'user_id', 'eq', userId),
    has: ({ user_id }) => user_id === userId,
    body(given) {
      requireNoAdminScope(given)
      return { ...given, type: 'personal', user_id: userId }
    },
  }
}

const testKeys: Allowed = {
  condition: conditionOn(apiKey, 'environment', 'eq', 'test'),
  has: ({ environment }) => environment === 'test',
  body(given) {
    if (typeof given.environment === 'string' && given.environment.trim() === 'live') {
      throw forbidden('A test key can manage only test keys')
    }
    return given
  },
}

/** A member's key must not have more rights than the member. Throws VALIDATION_ERROR. */
function requireNoAdminScope({ scopes }: Call['body']): void {
  if (!Array.isArray(scopes) || !scopes.includes('admin:all')) return
  const message = 'Scopes must not include admin:all: you are not an admin'
  throw validationError([{ field: 'scopes', message, code: 'INVALID_VALUE' }])
}

/**
 * Restricts a route that writes a key: only an owner may create or change a personal key of another owner (decision E5). A shared key is not
 * an owner's, whatever its scopes.
 */
function withinRank(route: Route): Route {
  return { ...route, run: (call) => route.run({ ...call, write: checked(call) }) }
}

/** Checks the key that was written, in the same transaction. Throws INSUFFICIENT_PERMISSIONS. */
function checked(call: Call): Call['write'] {
  return (run) =>
    call.write((tx, caller) => {
      const response = run(tx, caller)
      requireRank(tx, caller, JSON.parse(response.body).data.user_id)
      return response
    })
}

function requireRank({ access }: Writer, { isOwner, userId: own }: Caller, userId: string | null): void {
  if (isOwner || userId === null || userId === own || findUser(access, userId).role !== 'owner') return
  throw forbidden('Only an owner may create or change a personal key of an owner: others may only revoke it')
}
