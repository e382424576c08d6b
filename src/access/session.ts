import { dayMs, timestamp } from '../lib/clock.ts'
import { isHereSql } from '../store/move-state.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { featuresOf, limitsOf, type PlanLimits, planColumns, type StoredPlan } from './plan.ts'
import type { Role } from './role.ts'
import { generateToken, hashToken } from './token.ts'

/** A user who is signed in to the console. */
export interface Session {
  /** SHA-256 of the token that the cookie holds. */
  hash: string
  userId: string
  role: Role
  companyId: string
  plan: string
  limits: PlanLimits
  features: ReadonlySet<string>
  /** To a few minutes; null for a session from before an upgrade. */
  lastUsedAt: string | null
}

export const sessionDays = 30

/** Limits of the console's requests. Those of keys are the plan's. */
const requestsPerMinute = 1_000
const requestsPerDay = 1_000_000

/** The scopes of each role in the console. Settings are for owners and admins only, regardless of scopes. */
export const roleScopes: Readonly<Record<Role, ReadonlySet<string>>> = {
  owner: new Set(['admin:all']),
  admin: new Set(['admin:all']),
  member: new Set(['read:all', 'write:all']),
}

/** The browser that signs in, as its user sees it in the list of sessions. */
interface SessionClient {
  userAgent: string | null
  address: string | null
}

const userAgentMax = 300
/** The maximum number of sessions of a user. Whoever signs in again and again would otherwise fill the database. */
const sessionsMax = 1_000
const lastUse = 'ifnull(last_used_at, created_at)'

/** Signs a user in and returns the token for the cookie. Of too many sessions, the one that was used longest ago ends. */
export function insertSession(tx: Writer, userId: string, client?: SessionClient): string {
  const token = generateToken()
  const expiresAt = timestamp(Date.parse(tx.now) + sessionDays * dayMs)
  tx.run('DELETE FROM session WHERE expires_at <= ?', tx.now)
  const eldest = `SELECT hash FROM session WHERE user_id = ? ORDER BY ${lastUse} DESC LIMIT -1 OFFSET ?`
  tx.run(`DELETE FROM session WHERE hash IN (${eldest})`, userId, sessionsMax - 1)
  const userAgent = client?.userAgent?.slice(0, userAgentMax) ?? null
  const values = [hashToken(token), userId, tx.now, expiresAt, userAgent, client?.address ?? null, tx.now]
  tx.run('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)', ...values)
  return token
}

/** Finds the session of a token. Undefined if it has ended or expired, its user is not active, or the company is not served here. */
export function lookupSession(reader: Reader, token: string, nowMs: number): Session | undefined {
  return lookupSessionOf(reader, hashToken(token), nowMs)
}

/** Like `lookupSession`, by the hash of the token. */
export function lookupSessionOf(reader: Reader, hash: string, nowMs: number): Session | undefined {
  const stored = reader.row<Stored>(
    `SELECT hash, user_id, last_used_at, role, company_id, company.plan, ${planColumns}
      FROM session JOIN user ON user.id = user_id JOIN company ON company.id = company_id JOIN plan ON plan.name = company.plan
      WHERE hash = ? AND expires_at > ? AND is_active = 1 AND ${isHereSql('company_id')}`,
    hash,
    timestamp(nowMs),
  )
  if (!stored) return undefined
  const requests = { requests_per_minute: requestsPerMinute, requests_per_day: requestsPerDay }
  return {
    hash: stored.hash,
    userId: stored.user_id,
    role: stored.role,
    companyId: stored.company_id,
    plan: stored.plan,
    limits: { ...limitsOf(stored), ...requests },
    features: featuresOf(stored),
    lastUsedAt: stored.last_used_at,
  }
}

/** A session as its user sees it. */
export interface ShownSession {
  /** The first half of the hash: it names the session, but does not open it. */
  id: string
  created_at: string
  user_agent: string | null
  address: string | null
  /** To a few minutes; null for a session from before an upgrade. */
  last_used_at: string | null
  is_current: boolean
}

const shownMax = 100
const idOf = 'substr(hash, 1, 32)'

/** The sessions of the session's user that have not expired: the current one first, then the most recently used. */
export function listSessions(reader: Reader, { userId, hash }: Session, nowMs: number): ShownSession[] {
  const sql = `SELECT ${idOf} AS id, created_at, user_agent, address, last_used_at, hash = ? AS is_current FROM session
    WHERE user_id = ? AND expires_at > ? ORDER BY is_current DESC, ${lastUse} DESC LIMIT ?`
  const rows = reader.rows<ShownSession>(sql, hash, userId, timestamp(nowMs), shownMax)
  return rows.map((row) => ({ ...row, is_current: Boolean(row.is_current) }))
}

/** Ends one session of a user. Returns whether it existed. */
export function removeSessionOf(tx: Writer, userId: string, id: string): boolean {
  const hash = tx.value<string>(`SELECT hash FROM session WHERE user_id = ? AND ${idOf} = ?`, userId, id)
  if (hash !== undefined) removeSession(tx, hash)
  return hash !== undefined
}

/** Records that a session was used. */
export function touchSession(tx: Writer, hash: string): void {
  tx.run('UPDATE session SET last_used_at = ? WHERE hash = ?', tx.now, hash)
}

export function removeSession(tx: Writer, hash: string): void {
  tx.run('DELETE FROM session WHERE hash = ?', hash)
}

/** Ends all sessions of a user except `except`. */
export function removeSessions(tx: Writer, userId: string, except = ''): void {
  tx.run('DELETE FROM session WHERE user_id = ? AND hash <> ?', userId, except)
}

type Stored = StoredPlan & {
  hash: string
  user_id: string
  last_used_at: string | null
  role: Role
  company_id: string
  plan: string
}
