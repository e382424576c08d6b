import type { Actor } from '../store/change-log.ts'
import type { Reader } from '../store/reader.ts'
import type { Role } from './role.ts'
import { roleScopes } from './session.ts'

const none: ReadonlySet<string> = new Set()

/** The scopes that the author of a request has now; none if its key or user is no longer active. */
export function scopesOfAuthor(access: Reader, author: Actor | undefined, now: string): ReadonlySet<string> {
  if (author?.type === 'user') return scopesOfUser(access, author.id)
  return author?.type === 'api_key' ? scopesOfKey(access, author.id, now) : none
}

function scopesOfUser(access: Reader, id: string | null): ReadonlySet<string> {
  const role = access.value<Role>('SELECT role FROM user WHERE id = ? AND is_active = 1', id)
  return role === undefined ? none : roleScopes[role]
}

function scopesOfKey(access: Reader, id: string | null, now: string): ReadonlySet<string> {
  const sql = `SELECT scopes FROM effective_api_key
    WHERE id = ? AND is_active = 1 AND revoked_at IS NULL AND ifnull(expires_at > ?, 1)`
  const scopes = access.value<string>(sql, id, now)
  return scopes === undefined ? none : new Set(JSON.parse(scopes))
}
