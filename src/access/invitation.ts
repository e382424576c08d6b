import { ApiError } from '../errors.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { findWorkspaceId } from './company.ts'
import { logApart } from './logged.ts'
import { insertNotice } from './notice.ts'
import { generateToken, hashToken } from './token.ts'
import { findUser, removeInvitation, type User } from './user.ts'

export const invitationDays = 7

/**
 * Creates a link by which a user chooses a password, and returns its token. A newer link, a new password or deactivating the user invalidates it.
 * Throws CONFLICT if the user is not active.
 */
export function insertInvitation(tx: Writer, userId: string): string {
  if (!findUser(tx, userId).is_active) throw new ApiError('CONFLICT', 'This user is deactivated')
  const token = generateToken()
  const expiresAt = timestamp(Date.parse(tx.now) + invitationDays * dayMs)
  const sql =
    'INSERT INTO invitation VALUES (?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at'
  tx.run(sql, userId, hashToken(token), expiresAt)
  return token
}

/** Like `insertInvitation` for a user who was created before: the link is in the log, and a user who has a password gets a notice (decision K15). */
export function renewInvitation(tx: Writer, userId: string): string {
  const token = insertInvitation(tx, userId)
  logLink(tx, userId, null)
  insertNotice(tx, userId, 'password_link')
  return token
}

/** Ends a link before it is used. Returns whether there was one. */
export function revokeInvitation(tx: Writer, userId: string): boolean {
  const expiresAt = lookupExpiry(tx, userId)
  if (expiresAt === undefined) return false
  removeInvitation(tx, userId)
  logLink(tx, userId, expiresAt)
  return true
}

/** When the link of a user expires; undefined: there is none. */
export function lookupExpiry(reader: Reader, userId: string): string | undefined {
  return reader.value<string>('SELECT expires_at FROM invitation WHERE user_id = ?', userId)
}

/** Logs that a link was made, or that it ended before a time. */
function logLink(tx: Writer, userId: string, password_link: string | null): void {
  const workspaceId = findWorkspaceId(tx, findUser(tx, userId).company_id, 'live')
  logApart(tx, { resource: 'user', id: userId, workspaceId }, { password_link })
}

/** The user that this token invites. Throws NOT_FOUND if it was used or replaced, or has expired. */
export function findInvited(reader: Reader, token: string, nowMs: number): User {
  const sql = `SELECT user_id FROM invitation JOIN user ON user.id = user_id
    WHERE hash = ? AND expires_at > ? AND is_active = 1`
  const userId = reader.value<string>(sql, hashToken(token), timestamp(nowMs))
  if (userId === undefined) throw new ApiError('NOT_FOUND', 'This link is no longer valid: ask for a new one')
  return findUser(reader, userId)
}

/** A link that was created and not used. */
export interface Invitation {
  user_id: string
  expires_at: string
  is_expired: boolean
}

/** The links of a company's users. */
export function listInvitations(reader: Reader, companyId: string, nowMs: number): Invitation[] {
  const sql = `SELECT user_id, expires_at, expires_at <= ? AS is_expired FROM invitation JOIN user ON user.id = user_id
    WHERE company_id = ? AND is_active = 1 ORDER BY user_id`
  const rows = reader.rows<Invitation>(sql, timestamp(nowMs), companyId)
  return rows.map((row) => ({ ...row, is_expired: Boolean(row.is_expired) }))
}
