import { dayMs, timestamp } from '../lib/clock.ts'
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

/** Signs a user in and returns the token for the cookie. */
export function insertSession(tx: Writer, userId: string): string {
  const token = generateToken()
  const expiresAt = timestamp(Date.parse(tx.now) + sessionDays * dayMs)
  tx.run('DELETE FROM session WHERE expires_at <= ?', tx.now)
  tx.run('INSERT INTO session VALUES (?, ?, ?, ?)', hashToken(token), userId, tx.now, expiresAt)
  return token
}

/** Finds the session of a token. Undefined if it has ended or expired, or its user is not active. */
export function lookupSession(reader: Reader, token: string, nowMs: number): Session | undefined {
  const stored = reader.row<Stored>(
    `SELECT hash, user_id, role, company_id, company.plan, ${planColumns}
      FROM session JOIN user ON user.id = user_id JOIN company ON company.id = company_id JOIN plan ON plan.name = company.plan
      WHERE hash = ? AND expires_at > ? AND is_active = 1`,
    hashToken(token),
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
  }
}

export function removeSession(tx: Writer, hash: string): void {
  tx.run('DELETE FROM session WHERE hash = ?', hash)
}

/** Ends all sessions of a user except `except`. */
export function removeSessions(tx: Writer, userId: string, except = ''): void {
  tx.run('DELETE FROM session WHERE user_id = ? AND hash <> ?', userId, except)
}

type Stored = StoredPlan & { hash: string; user_id: string; role: Role; company_id: string; plan: string }
