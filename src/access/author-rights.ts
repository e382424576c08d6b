import type { Actor } from '../store/change-log.ts'
import type { Reader } from '../store/reader.ts'
import { team, type Viewer } from '../store/visibility.ts'
import { type KeyOwner, type Role, viewerOf, viewerOfKey } from './role.ts'
import { roleScopes } from './session.ts'

/** What the author of a request may do. */
export interface Rights {
  readonly scopes: ReadonlySet<string>
  /** Whether it is a user who is a member, or the personal key of one. */
  readonly isMember: boolean
  /** The user, or that of a personal key. */
  readonly userId: string | undefined
  /** Whose rows are seen (decision P7). */
  readonly viewer: Viewer
}

const none: Rights = { scopes: new Set(), isMember: false, userId: undefined, viewer: team }
const all: Rights = { ...none, scopes: new Set(['admin:all']) }

/** The rights that the author of a request has now; none if its key or user is no longer active. */
export function rightsOfAuthor(access: Reader, author: Actor | undefined, now: string): Rights {
  if (author?.type === 'system') return all // from before the log, which did not say whose it was
  if (author?.type === 'user') return rightsOfUser(access, author.id)
  return author?.type === 'api_key' ? rightsOfKey(access, author.id, now) : none
}

function rightsOfUser(access: Reader, id: string | null): Rights {
  const role = access.value<Role>('SELECT role FROM user WHERE id = ? AND is_active = 1', id)
  if (id === null || role === undefined) return none
  return { scopes: roleScopes[role], isMember: role === 'member', userId: id, viewer: viewerOf(id, role) }
}

function rightsOfKey(access: Reader, id: string | null, now: string): Rights {
  const sql = `SELECT scopes, user_id, user_role, (SELECT is_own FROM api_key WHERE api_key.id = effective_api_key.id) AS is_own
    FROM effective_api_key WHERE id = ? AND is_active = 1 AND revoked_at IS NULL AND ifnull(expires_at > ?, 1)`
  const key = access.row<KeyOwner & { scopes: string }>(sql, id, now)
  if (!key) return none
  const { scopes, user_id, user_role } = key
  return {
    scopes: new Set(JSON.parse(scopes)),
    isMember: user_role === 'member',
    userId: user_id ?? undefined,
    viewer: viewerOfKey(key),
  }
}
