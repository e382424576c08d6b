import { insertInvitation, listInvitations, renewInvitation, revokeInvitation } from '../access/invitation.ts'
import { insertNotice } from '../access/notice.ts'
import { type Role, roles } from '../access/role.ts'
import type { Session } from '../access/session.ts'
import {
  activateUser,
  deactivateUser,
  findUser,
  hasOtherOwner,
  insertUser,
  listUsers,
  type User,
  type UserChanges,
  updateUser,
} from '../access/user.ts'
import { type ApiResponse, deleted } from '../engine/api/call/http-response.ts'
import type { JsonObject } from '../engine/records/rows/validate.ts'
import { ApiError, forbidden, validationError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import { type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** The company's users. A new user gets a link to choose a password. */
export const userRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/users',
    for: 'member',
    run: ({ store, session }) => data(listUsers(store.access, session.companyId)),
  },
  { method: 'POST', path: '/console/users', takesBody: true, for: 'admin', run: add },
  { method: 'PATCH', path: '/console/users/:id', takesBody: true, for: 'admin', run: change },
  { method: 'POST', path: '/console/users/:id/invitation', for: 'admin', run: invite },
  { method: 'DELETE', path: '/console/users/:id/invitation', for: 'admin', run: revoke },
  {
    method: 'GET',
    path: '/console/invitations',
    for: 'admin',
    run: ({ store, session }) => data(listInvitations(store.access, session.companyId, store.clock.now())),
  },
]

const ownEmail = 'Change your own email with your password, under Your account'

async function add({ write, body }: MemberCall): Promise<ApiResponse> {
  const { full_name, email } = readTexts(body, ['full_name', 'email'])
  const role = readRole(body.role ?? 'member')
  const created = await write((tx, session) => {
    requireRank(session, role)
    const user = insertUser(tx, { companyId: session.companyId, fullName: full_name, email, role })
    return { user, invitation: insertInvitation(tx, user.id) }
  })
  return { ...data(created, 201), secret: true }
}

async function change({ write, params, body }: MemberCall): Promise<ApiResponse> {
  const changes: UserChanges = readNames(body)
  if (body.role !== undefined) changes.role = readRole(body.role)
  const isActive = readFlag(body, 'is_active')
  const user = await write((tx, session) => {
    const before = findColleague(tx, session, params.id!)
    requireRank(session, before.role)
    if (changes.role) requireRank(session, changes.role)
    if (changes.email !== undefined && before.id === session.userId) throw forbidden(ownEmail)
    const changed = updateUser(tx, before.id, changes)
    if (changed.email !== before.email) insertNotice(tx, before.id, 'email', before.email)
    if (isActive === undefined || isActive === before.is_active) return requireOwner(tx, before, changed)
    if (before.id === session.userId) throw new ApiError('CONFLICT', 'You cannot deactivate your own account')
    return requireOwner(tx, before, isActive ? activateUser(tx, before.id) : deactivateUser(tx, before.id))
  })
  return data(user)
}

/** Creates a new link to choose a password, also for a user who has lost the password. */
async function invite({ write, params }: MemberCall): Promise<ApiResponse> {
  const invitation = await write((tx, session) => {
    const user = findColleague(tx, session, params.id!)
    requireRank(session, user.role)
    return renewInvitation(tx, user.id)
  })
  return { ...data({ invitation }, 201), secret: true }
}

async function revoke({ write, params }: MemberCall): Promise<ApiResponse> {
  const existed = await write((tx, session) => {
    const user = findColleague(tx, session, params.id!)
    requireRank(session, user.role)
    return revokeInvitation(tx, user.id)
  })
  if (!existed) throw new ApiError('NOT_FOUND', 'This user has no open link')
  return deleted
}

/** The name and the email of a body that has them. */
export function readNames(body: JsonObject): UserChanges {
  return {
    ...(body.full_name !== undefined && { fullName: readTexts(body, ['full_name']).full_name }),
    ...(body.email !== undefined && { email: readTexts(body, ['email']).email }),
  }
}

function findColleague(reader: Reader, { companyId }: Session, id: string): User {
  const user = findUser(reader, id)
  if (user.company_id !== companyId) throw new ApiError('NOT_FOUND', `User not found: ${id}`)
  return user
}

/** Only an owner may add, change and invite owners. */
function requireRank({ role }: Session, of: Role): void {
  if (of === 'owner' && role !== 'owner') throw forbidden('Only an owner may add, change or invite an owner')
}

/** A company that has an owner must keep one who can sign in. */
function requireOwner(reader: Reader, before: User, after: User): User {
  const owns = ({ role, is_active }: User) => role === 'owner' && is_active
  if (owns(before) && !owns(after) && !hasOtherOwner(reader, after)) {
    throw new ApiError('CONFLICT', 'No other owner can sign in: make a user with a password an owner first')
  }
  return after
}

function readRole(value: unknown): Role {
  if (roles.includes(value as Role)) return value as Role
  const message = `Role must be one of: ${roles.join(', ')}`
  throw validationError([{ field: 'role', message, code: 'INVALID_VALUE' }])
}

function readFlag(body: Record<string, unknown>, field: string): boolean | undefined {
  const value = body[field]
  if (value === undefined || typeof value === 'boolean') return value
  throw validationError([{ field, message: 'Must be true or false', code: 'INVALID_TYPE' }])
}
