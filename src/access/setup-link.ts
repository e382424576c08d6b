import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { listCompanies } from './company.ts'
import { generateToken, hashToken } from './token.ts'
import { hasUsers } from './user.ts'

export const setupHours = 24
const setupMs = setupHours * 3_600_000

interface SetupLink {
  token: string
  expires_at: string
}

/** Creates the link for the first user and invalidates earlier links. Throws CONFLICT if there is nothing to set up. */
export function insertSetupLink(tx: Writer): SetupLink {
  if (hasUsers(tx)) {
    throw new ApiError('CONFLICT', 'Users already exist: an owner or admin can add more in the console')
  }
  if (!isFresh(tx)) {
    const remedy = 'create the first user with "kontor user create --company ID --role owner --password-stdin"'
    throw new ApiError('CONFLICT', `There is more than one company: ${remedy}`)
  }
  const link = { token: generateToken(), expires_at: timestamp(Date.parse(tx.now) + setupMs) }
  const sql = `INSERT INTO setup_link VALUES (1, ?, ?)
    ON CONFLICT DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`
  tx.run(sql, hashToken(link.token), link.expires_at)
  return link
}

/** Throws NOT_FOUND unless this token's link is the newest, unused and not expired. */
export function requireSetupLink(reader: Reader, token: string, nowMs: number): void {
  const sql = 'SELECT 1 FROM setup_link WHERE hash = ? AND expires_at > ?'
  if (isFresh(reader) && reader.value(sql, hashToken(token), timestamp(nowMs)) !== undefined) return
  const remedy = '"kontor setup-link" creates a new one'
  throw new ApiError('NOT_FOUND', `This link is no longer valid: it works once, within ${setupHours} hours; ${remedy}`)
}

/** Whether the database is new: without any data and without a setup link. */
export function isUntouched(reader: Reader): boolean {
  const hasLink = reader.value('SELECT 1 FROM setup_link') !== undefined
  return !hasLink && !hasUsers(reader) && listCompanies(reader).length === 0
}

/** Whether nobody can sign in and there is at most one company. */
export function isFresh(reader: Reader): boolean {
  return !hasUsers(reader) && listCompanies(reader).length <= 1
}
