import { hash } from 'node:crypto'
import { ApiError } from '../errors.ts'
import { fold } from '../lib/text.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'
import { type Environment, findCompany, findWorkspaceId } from './company.ts'
import { logged } from './logged.ts'
import { readCell } from './setting.ts'

export const keyTypes = ['shared', 'personal'] as const
type KeyType = (typeof keyTypes)[number]

/** What agents may do with a key, from the narrowest to the widest (decision L3). */
export const mcpModes = ['read', 'propose', 'write'] as const
export type McpMode = (typeof mcpModes)[number]

/** An API key. The `scopes` of a personal key are limited to what its user may do now (decisions D14, E5). */
export interface ApiKey {
  id: string
  name: string
  description: string | null
  prefix: string
  environment: Environment
  type: KeyType
  user_id: string | null
  scopes: string[]
  mcp_mode: McpMode
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
  /** The id of the user of a personal key. */
  userId?: string | null | undefined
  /** Default: `write`. */
  mcpMode?: McpMode
  isActive?: boolean
  expiresAt?: string | null | undefined
}

export const keyPattern = /^svc_(?:live|test)_[A-Za-z0-9]{32}$/

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const randomLength = 32
const prefixLength = 24

const selectKeys = `SELECT api_key.id, name, description, prefix, environment, type, user_id, scopes, mcp_mode, is_active,
    expires_at, revoked_at, last_used_at, last_used_ip, request_count, created_at, updated_at
  FROM effective_api_key AS api_key JOIN workspace ON workspace.id = api_key.workspace_id`

/** The SHA-256 of a key, hexadecimal. Only this is stored, not the key (spec: Authentication). */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** The beginning of a key, by which people recognize it. */
export function prefixOf(key: string): string {
  return key.slice(0, prefixLength)
}

/** Whether a text can be the beginning of a key of this environment. */
export function isPrefix(text: string, environment: Environment): boolean {
  return text.startsWith(`svc_${environment}_`) && /^svc_[a-z]+_[A-Za-z0-9]{15}$/.test(text)
}

/** The maximum number of personal keys of a user that are not revoked. Deactivating the user revokes all of them in one transaction. */
export const ownKeysMax = 200

/** Creates a key from validated input. Only this returns its text, in `key`. Throws NOT_FOUND (company), CONFLICT (too many keys of the user). */
export function insertKey(tx: Writer, input: NewKey): ApiKey & { key: string } {
  const company = findCompany(tx, input.companyId)
  const { userId = null } = input
  const owned = 'SELECT count(*) FROM api_key WHERE user_id = ? AND revoked_at IS NULL'
  if (tx.value<number>(owned, userId)! >= ownKeysMax)
    throw new ApiError('CONFLICT', `A user has at most ${ownKeysMax} personal keys: revoke one first`)
  const key = generateKey(input.environment, tx, readCell(tx))
  const row: Record<string, SqlValue> = {
    id: input.id ?? tx.newId(),
    workspace_id: findWorkspaceId(tx, company.id, input.environment),
    name: input.name,
    name_key: fold(input.name),
    description: input.description ?? null,
    prefix: prefixOf(key),
    hash: hashKey(key),
    type: userId === null ? 'shared' : 'personal',
    user_id: userId,
    scopes: JSON.stringify(input.scopes),
    mcp_mode: input.mcpMode ?? 'write',
    is_active: Number(input.isActive ?? true),
    is_own: Number(userId !== null && tx.origin.actor.type === 'user' && tx.origin.actor.id === userId),
    expires_at: input.expiresAt ?? null,
    created_at: tx.now,
    updated_at: tx.now,
  }
  const columns = Object.keys(row)
  const sql = `INSERT INTO api_key (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  const target = { resource: 'api_key', id: String(row.id), workspaceId: Number(row.workspace_id) } as const
  logged(tx, target, () => tx.run(sql, ...Object.values(row)))
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

/** Disables or enables a key. Throws CONFLICT if it is revoked. */
export function setKeyActive(tx: Writer, id: string, active: boolean): ApiKey {
  updateKey(tx, id, { is_active: Number(active), updated_at: tx.now })
  return findKey(tx, id)
}

/** A revoked key cannot be changed (spec: API key lifecycle). Throws CONFLICT. */
export function requireUnrevoked(revokedAt: unknown): void {
  if (revokedAt !== null) throw new ApiError('CONFLICT', 'A revoked API key cannot be changed')
}

/** Changes columns of a key. Throws CONFLICT if it is revoked. */
export function updateKey(tx: Writer, id: string, columns: Readonly<Record<string, SqlValue>>): void {
  requireUnrevoked(findKey(tx, id).revoked_at)
  setColumns(tx, id, columns)
}

function setColumns(tx: Writer, id: string, columns: Readonly<Record<string, SqlValue>>): void {
  const set = Object.keys(columns).map((column) => `${column} = ?`)
  const workspaceId = tx.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', id)!
  logged(tx, { resource: 'api_key', id, workspaceId }, () => {
    tx.run(`UPDATE api_key SET ${set.join(', ')} WHERE id = ?`, ...Object.values(columns), id)
  })
}

/** Revokes a key permanently. Has no effect on a revoked key. */
export function revokeKey(tx: Writer, id: string): ApiKey {
  if (findKey(tx, id).revoked_at === null) setColumns(tx, id, { revoked_at: tx.now, updated_at: tx.now })
  return findKey(tx, id)
}

/** Disables the personal keys of a user. */
export function disableKeysOf(tx: Writer, userId: string): void {
  const sql = 'SELECT id FROM api_key WHERE user_id = ? AND revoked_at IS NULL AND is_active = 1 ORDER BY id'
  for (const id of tx.values<string>(sql, userId)) setKeyActive(tx, id, false)
}

/** Revokes the personal keys of a user. */
export function revokeKeysOf(tx: Writer, userId: string): void {
  const sql = 'SELECT id FROM api_key WHERE user_id = ? AND revoked_at IS NULL ORDER BY id'
  for (const id of tx.values<string>(sql, userId)) revokeKey(tx, id)
}

type Stored = Omit<ApiKey, 'scopes' | 'is_active'> & { scopes: string; is_active: number }

function keyOf(stored: Stored): ApiKey {
  return { ...stored, scopes: JSON.parse(stored.scopes), is_active: stored.is_active === 1 }
}

/** Generates a key (decision A3), which begins with the name of the cell. Bytes beyond a multiple of the alphabet's length would make some letters more likely. */
export function generateKey(environment: Environment, source: Pick<Writer, 'randomBytes'>, cell = ''): string {
  const end = 256 - (256 % alphabet.length)
  let letters = cell
  while (letters.length < randomLength) {
    const fair = source.randomBytes(randomLength).filter((byte) => byte < end)
    for (const byte of fair) letters += alphabet[byte % alphabet.length]
  }
  return `svc_${environment}_${letters.slice(0, randomLength)}`
}
