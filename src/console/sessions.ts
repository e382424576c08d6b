import { listSessions, removeSession, removeSessionOf, removeSessions } from '../access/session.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { deleted } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

/** The sessions of the signed-in user, and their ends (decision K15). */
export const sessionRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/sessions',
    for: 'member',
    run: ({ store, session }) => data(listSessions(store.access, session, store.clock.now())),
  },
  { method: 'DELETE', path: '/console/session', for: 'member', run: (call) => signOut(call, false) },
  { method: 'DELETE', path: '/console/sessions', for: 'member', run: (call) => signOut(call, true) },
  { method: 'DELETE', path: '/console/other-sessions', for: 'member', run: signOutOthers },
  { method: 'DELETE', path: '/console/sessions/:id', for: 'member', run: signOutOne },
]

async function signOut({ cookie, write }: MemberCall, everywhere: boolean): Promise<ApiResponse> {
  await write((tx, { userId, hash }) => (everywhere ? removeSessions(tx, userId) : removeSession(tx, hash)))
  return data({ deleted: true }, 200, ['Set-Cookie', cookie()])
}

async function signOutOthers({ write }: MemberCall): Promise<ApiResponse> {
  await write((tx, { userId, hash }) => removeSessions(tx, userId, hash))
  return deleted
}

async function signOutOne({ write, params }: MemberCall): Promise<ApiResponse> {
  const existed = await write((tx, { userId }) => removeSessionOf(tx, userId, params.id!))
  if (!existed) throw new ApiError('NOT_FOUND', 'This session has already ended')
  return deleted
}
