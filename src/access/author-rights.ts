import type { Actor } from '../store/change-log.ts'
import type { Reader } from '../store/reader.ts'
import type { Role } from './role.ts'
import { roleScopes } from './session.ts'

/** What the author of a request may do. */
export interface Rights {
  readonly scopes: ReadonlySet<string>
  /** Whether it is a user who is a member, or the personal key of one. */
  readonly isMember: boolean
}

const none: Rights = { scopes: new Set(), isMember: false }
const all: Rights = { scopes: new Set(['admin:all']), isMember: false }

/** The rights that the author of a request has now; none if its key or user is no longer active. */
export function rightsOfAuthor(access: Reader, author: Actor | undefined, now: string): Rights {
  if (author?.type === 'system') return all // from before the log, which did not say whose it was
  if (author?.type === 'user') return rightsOfUser(access, author.id)
  return author?.type === 'api_key' ? rightsOfKey(access, author.id, now) : none
}

function rightsOfUser(access: Reader, id: string | null): Rights {
  const role = access.value<Role>('SELECT role FROM user WHERE id = ? AND is_active = 1', id)
  return role === undefined ? none : { scopes: roleScopes[role], isMember: role === 'member' }
}

function rightsOfKey(access: Reader, id: string | null, now: string): Rights {
  const sql = `SELECT scopes, user_role AS role FROM effective_api_key
    WHERE id = ? AND is_active = 1 AND revoked_at IS NULL AND ifnull(expires_at > ?, 1)`
  const key = access.row<{ scopes: string; role: Role | null }>(sql, id, now)
  return key ? { scopes: new Set(JSON.parse(key.scopes)), isMember: key.role === 'member' } : none
}
