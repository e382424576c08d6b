import { type ApiError, forbidden } from '../errors.ts'

/** Every scope a key can hold (spec: Scopes). */
export const scopes = [
  'read:all',
  'write:all',
  'read:organizations',
  'write:organizations',
  'read:contacts',
  'write:contacts',
  'read:deals',
  'write:deals',
  'read:activities',
  'write:activities',
  'read:tasks',
  'write:tasks',
  'read:files',
  'write:files',
  'read:messages',
  'write:messages',
  'admin:all',
] as const

export type Scope = (typeof scopes)[number]

/**
 * Whether these scopes include `required`. `admin:all` includes every scope, `read:all` and `write:all` include every scope of their kind.
 * `read:any` is included in any read scope (decision E2), `any` in any key (decision E3).
 */
export function grants(held: ReadonlySet<string>, required: string): boolean {
  if (required === 'any') return true
  const kind = required.slice(0, required.indexOf(':'))
  if (required === 'read:any' && [...held].some((scope) => scope.startsWith('read:'))) return true
  return held.has(required) || held.has('admin:all') || (kind !== 'admin' && held.has(`${kind}:all`))
}

/** The scopes of which a key needs one to have `required`; none for `any`. */
export function acceptedScopes(required: string): readonly string[] {
  if (required === 'any') return []
  return required === 'read:any' ? scopes.filter((scope) => scope.startsWith('read:')) : [required]
}

/** The caller has none of the scopes of which one is required. */
export function missingScope(...required: readonly string[]): ApiError {
  return forbidden(`Insufficient permissions. Required scope: ${required.flatMap(acceptedScopes).join(' or ')}`)
}
