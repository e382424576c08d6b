import { type ApiKey, findKey } from '../access/key.ts'
import type { Describe } from '../engine/definition/describe.ts'
import type { Call, Caller, Route } from '../engine/route.ts'
import { findId, notFound } from '../engine/select.ts'
import { ApiError, validationError } from '../errors.ts'
import { apiKey } from './api-key.ts'
import { stage } from './stage.ts'

/** What callers may do otherwise than by their scopes: only admins change the pipeline, and not everybody manages every key. */
export function restrict(route: Route): Route {
  if (isOf(route, apiKey.path)) return { ...route, openToMembers: true, narrow: narrowKeys(route) }
  if (isOf(route, stage.path) && route.method !== 'GET') {
    return { ...route, adminsOnly: true, describe: withDetails(route, forAdmins) }
  }
  return route
}

const forAdmins = 'Members of the company may not do this, nor may their personal keys: 403. Shared keys may.'

function withDetails({ describe }: Route, text: string): Describe {
  return (doc) => {
    const description = describe(doc)
    return { ...description, details: [description.details, text].filter(Boolean).join(' ') }
  }
}

function isOf({ path }: Route, resourcePath: string): boolean {
  return path === `/${resourcePath}` || path.startsWith(`/${resourcePath}/`)
}

/** Leaves the keys that the caller may manage: a member's own, and those of the test environment for a test key (decisions A12, E5). */
function narrowKeys(route: Route): (call: Call) => Call {
  const isCreate = route.method === 'POST' && route.path === `/${apiKey.path}`
  return (call) => {
    const allowed = allowedOf(call.caller)
    if (!allowed) return call
    if (isCreate) return { ...call, body: allowed.body(call.body) }
    if (call.params.id === undefined) return { ...call, query: [allowed.filter, call.query].filter(Boolean).join('&') }
    allowed.body(call.body)
    const key = findKey(call.access, findId(apiKey, call.reader, call.params.id))
    if (!allowed.has(key)) throw notFound(apiKey)
    return call
  }
}

/** Some of a company's keys. */
interface Allowed {
  /** As a parameter of a list. */
  filter: string
  has(key: ApiKey): boolean
  /** What becomes of the body that makes or changes one. Throws ApiError for one that would leave them. */
  body(given: Call['body']): Call['body']
}

/** Undefined: all of them. */
function allowedOf({ user, isMember, environment }: Caller): Allowed | undefined {
  if (user) return isMember ? ownKeys(user.id) : undefined
  return environment === 'test' ? testKeys : undefined
}

function ownKeys(userId: string): Allowed {
  return {
    filter: `user_id=${userId}`,
    has: ({ user_id }) => user_id === userId,
    body(given) {
      requireModest(given)
      return { ...given, type: 'personal', user_id: userId }
    },
  }
}

const testKeys: Allowed = {
  filter: 'environment=test',
  has: ({ environment }) => environment === 'test',
  body(given) {
    if (typeof given.environment === 'string' && given.environment.trim() === 'live') {
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'A test key manages test keys only')
    }
    return given
  },
}

/** A key must not do what its maker may not. */
function requireModest({ scopes }: Call['body']): void {
  if (!Array.isArray(scopes) || !scopes.includes('admin:all')) return
  const message = 'Scopes must not include admin:all: you are no admin'
  throw validationError([{ field: 'scopes', message, code: 'INVALID_VALUE' }])
}
