import { insertInvitation } from '../access/invitation.ts'
import { type Role, roles } from '../access/role.ts'
import type { Session } from '../access/session.ts'
import { activateUser, deactivateUser, findUser, insertUser, listUsers, type User, updateUser } from '../access/user.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import { ApiError, validationError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import { type ConsoleRoute, data, forbidden, type MemberCall, readTexts } from './route.ts'

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
]

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
  const role = body.role === undefined ? undefined : readRole(body.role)
  const fullName = body.full_name === undefined ? undefined : readTexts(body, ['full_name']).full_name
  const isActive = readFlag(body, 'is_active')
  const user = await write((tx, session) => {
    const before = findColleague(tx, session, params.id!)
    requireRank(session, before.role)
    if (role !== undefined) requireRank(session, role)
    const changed = updateUser(tx, before.id, { ...(fullName !== undefined && { fullName }), ...(role && { role }) })
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
    return insertInvitation(tx, user.id)
  })
  return { ...data({ invitation }, 201), secret: true }
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

/** A company that has an owner must keep one. */
function requireOwner(reader: Reader, before: User, after: User): User {
  const owns = ({ role, is_active }: User) => role === 'owner' && is_active
  if (owns(before) && !owns(after) && !listUsers(reader, after.company_id).some(owns)) {
    throw new ApiError('CONFLICT', 'This is the last owner: make someone else an owner first')
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
