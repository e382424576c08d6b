import { findUser } from '../access/user.ts'
import type { Call, Caller, Route } from '../engine/api/call/route.ts'
import { ApiError } from '../errors.ts'
import type { Writer } from '../store/reader.ts'

/**
 * Restricts a route that writes a key: only an owner may create or change a personal key of another owner (decision E5). A shared key is not
 * an owner's, whatever its scopes.
 */
export function withinRank(route: Route): Route {
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
  throw new ApiError(
    'INSUFFICIENT_PERMISSIONS',
    'Only an owner may create or change a personal key of an owner: others may only revoke it',
  )
}
