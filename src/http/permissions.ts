import type { Credential } from '../access/credentials.ts'
import { requireFeature } from '../access/plan.ts'
import { grants, missingScope } from '../access/scopes.ts'
import type { Route } from '../engine/api/call/route.ts'
import { forbidden } from '../errors.ts'

/** Throws INSUFFICIENT_PERMISSIONS, FEATURE_NOT_ENABLED (spec: Scopes; decision A11). */
export function requirePermission(route: Route, caller: Credential): void {
  const { scope, feature, adminsOnly, usersOnly, openToMembers } = route
  const { scopes, user, isMember } = caller
  if (usersOnly && !user) throw forbidden('Only a signed-in user of the console may do this')
  const isOpen = openToMembers && user && isMember
  if (!isOpen && !grants(scopes, scope)) throw missingScope(scope)
  if (adminsOnly && isMember) throw forbidden('Only owners and admins may do this, not members or their personal keys')
  if (feature !== undefined) requireFeature(feature, caller)
}

/**
 * Returns the caller with its current permissions. A write calls it again inside its transaction, so that nothing is written for a key or a
 * session that has lost its permission in the meantime. Throws the error that a new request would get.
 */
export function recheckPermission(route: Route, before: Credential): Credential {
  const now = before.recheck()
  if (now === before) return now
  requirePermission(route, now)
  if (route.narrow && now.isMember && !before.isMember) throw forbidden('Your role has changed: send the request again')
  return now
}
