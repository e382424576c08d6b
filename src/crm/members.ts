import { findKey } from '../access/key.ts'
import type { Call, Route } from '../engine/route.ts'
import { findId } from '../engine/select.ts'
import { ApiError, validationError } from '../errors.ts'
import { apiKey } from './api-key.ts'
import { stage } from './stage.ts'

/** What members of a company may do in the console otherwise than by their scopes: the pipeline is the admins', keys are their own. */
export function forMembers(route: Route): Route {
  if (isOf(route, apiKey.path)) return { ...route, forMember: ownKeys(route) }
  if (isOf(route, stage.path) && route.method !== 'GET') return { ...route, forMember: refuse }
  return route
}

function isOf({ path }: Route, resourcePath: string): boolean {
  return path === `/${resourcePath}` || path.startsWith(`/${resourcePath}/`)
}

function refuse(): never {
  throw new ApiError('INSUFFICIENT_PERMISSIONS', 'Only owners and admins may do this')
}

/** decision E5: a member makes, sees and ends personal keys of the member's own. */
function ownKeys({ method, path }: Route): (call: Call) => Call {
  const isCreate = method === 'POST' && path === `/${apiKey.path}`
  return (call) => {
    const userId = call.caller.user!.id
    requireModest(call.body)
    if (isCreate) return { ...call, body: { ...call.body, type: 'personal', user_id: userId } }
    if (call.params.id === undefined)
      return { ...call, query: [`user_id=${userId}`, call.query].filter(Boolean).join('&') }
    const { user_id } = findKey(call.access, findId(apiKey, call.reader, call.params.id))
    if (user_id !== userId) throw new ApiError('NOT_FOUND', 'API key not found')
    return call
  }
}

/** A key must not do what its maker may not. */
function requireModest({ scopes }: Call['body']): void {
  if (!Array.isArray(scopes) || !scopes.includes('admin:all')) return
  const message = 'Scopes must not include admin:all: you are no admin'
  throw validationError([{ field: 'scopes', message, code: 'INVALID_VALUE' }])
}
