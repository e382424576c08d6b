import { hash, randomInt } from 'node:crypto'
import { ApiError, validationError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import { parseSpan } from '../lib/moment.ts'
import { fold } from '../lib/text.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'
import { type Environment, findCompany, findWorkspaceId } from './company.ts'
import { scopes } from './scopes.ts'
import { requireText } from './text.ts'
import { findUser } from './user.ts'

export const keyTypes = ['shared', 'personal'] as const
export type KeyType = (typeof keyTypes)[number]

/** A key's record; the key itself is in none (decision E5). */
export interface ApiKey {
  id: string
  name: string
  description: string | null
  prefix: string
  environment: Environment
  type: KeyType
  user_id: string | null
  scopes: string[]
  is_active: boolean
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  last_used_ip: string | null
  request_count: number
  created_at: string
  updated_at: string
}

interface NewKey {
  /** Default: a new one. */
  id?: string
  companyId: string
  environment: Environment
  name: string
  description?: string | null | undefined
  scopes: readonly string[]
  /** Of a personal key. */
  userId?: string | null | undefined
  isActive?: boolean
  /** A timestamp, or a date: its first moment. */
  expiresAt?: string | null | undefined
}

export const keyPattern = /^svc_(?:live|test)_[A-Za-z0-9]{32}$/

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const randomLength = 32
const prefixLength = 24

const selectKeys = `SELECT api_key.id, name, description, prefix, environment, type, user_id, scopes, is_active, expires_at,
    revoked_at, last_used_at, last_used_ip, request_count, created_at, updated_at
  FROM api_key JOIN workspace ON workspace.id = api_key.workspace_id`

/** SHA-256, hexadecimal: all that is kept of a key (spec: Authentication). */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** Makes a key; its text is in `key`, this once. Throws VALIDATION_ERROR, NOT_FOUND (company, user). */
export function insertKey(tx: Writer, input: NewKey): ApiKey & { key: string } {
  const company = findCompany(tx, input.companyId)
  const userId = input.userId ? findActiveUser(tx, company.id, input.userId) : null
  const key = drawKey(input.environment)
  const name = requireText('Name', input.name)
  const row: Record<string, SqlValue> = {
    id: input.id ?? tx.newId(),
    workspace_id: findWorkspaceId(tx, company.id, input.environment),
    name,
    name_key: fold(name),
    description: input.description?.trim() || null,
    prefix: key.slice(0, prefixLength),
    hash: hashKey(key),
    type: userId === null ? 'shared' : 'personal',
    user_id: userId,
    scopes: JSON.stringify(requireScopes(input.scopes)),
    is_active: Number(input.isActive ?? true),
    expires_at: typeof input.expiresAt === 'string' ? requireMoment(input.expiresAt) : null,
    created_at: tx.now,
    updated_at: tx.now,
  }
  const columns = Object.keys(row)
  const sql = `INSERT INTO api_key (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  tx.run(sql, ...Object.values(row))
  return { ...findKey(tx, String(row.id)), key }
}

export function listKeys(reader: Reader, companyId: string): ApiKey[] {
  const sql = `${selectKeys} WHERE company_id = ? ORDER BY api_key.id`
  return reader.rows<Stored>(sql, findCompany(reader, companyId).id).map(keyOf)
}

/** Throws NOT_FOUND. */
export function findKey(reader: Reader, id: string): ApiKey {
  const stored = reader.row<Stored>(`${selectKeys} WHERE api_key.id = ?`, id)
  if (!stored) throw new ApiError('NOT_FOUND', `API key not found: ${id}`)
  return keyOf(stored)
}

/** Disables or enables a key. Throws CONFLICT for a revoked one. */
export function setKeyActive(tx: Writer, id: string, active: boolean): ApiKey {
  updateKey(tx, id, { is_active: Number(active), updated_at: tx.now })
  return findKey(tx, id)
}

/** A revoked key stays as it is (spec: API key lifecycle). Throws CONFLICT. */
export function requireUnrevoked(revokedAt: unknown): void {
  if (revokedAt !== null) throw new ApiError('CONFLICT', 'A revoked API key cannot be changed')
}

/** Sets columns of a key. Throws CONFLICT for a revoked one. */
export function updateKey(tx: Writer, id: string, columns: Readonly<Record<string, SqlValue>>): void {
  requireUnrevoked(findKey(tx, id).revoked_at)
  const set = Object.keys(columns).map((column) => `${column} = ?`)
  tx.run(`UPDATE api_key SET ${set.join(', ')} WHERE id = ?`, ...Object.values(columns), id)
}

/** Revokes a key for good; again changes nothing. */
export function revokeKey(tx: Writer, id: string): ApiKey {
  findKey(tx, id)
  tx.run('UPDATE api_key SET revoked_at = ?, updated_at = ? WHERE id = ? AND revoked_at IS NULL', tx.now, tx.now, id)
  return findKey(tx, id)
}

type Stored = Omit<ApiKey, 'scopes' | 'is_active'> & { scopes: string; is_active: number }

function keyOf(stored: Stored): ApiKey {
  return { ...stored, scopes: JSON.parse(stored.scopes), is_active: stored.is_active === 1 }
}

/** decision A3; `randomInt` draws without modulo bias. */
function drawKey(environment: Environment): string {
  const letters = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)])
  return `svc_${environment}_${letters.join('')}`
}

function findActiveUser(reader: Reader, companyId: string, userId: string): string {
  const user = findUser(reader, userId)
  if (user.company_id !== companyId) throw new ApiError('NOT_FOUND', `User not found: ${userId}`)
  if (!user.is_active) throw new ApiError('CONFLICT', `User ${userId} is deactivated`)
  return user.id
}

function requireScopes(given: readonly string[]): string[] {
  const allowed: readonly string[] = scopes
  const foreign = given.find((scope) => !allowed.includes(scope))
  if (given.length > 0 && foreign === undefined) return [...new Set(given)]
  const problem = foreign === undefined ? 'At least one scope is required' : `Unknown scope ${foreign}`
  const code = foreign === undefined ? 'REQUIRED' : 'INVALID_VALUE'
  throw validationError([{ field: 'scopes', message: `${problem}; there are ${scopes.join(', ')}`, code }])
}

function requireMoment(text: string): string {
  const span = parseSpan(text)
  if (span) return timestamp(span.start)
  const message = 'Expires at must be an ISO 8601 timestamp or date'
  throw validationError([{ field: 'expires_at', message, code: 'INVALID_FORMAT' }])
}
