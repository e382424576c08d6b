import { ApiError, validationError } from '../errors.ts'
import { isEmailAddress } from '../lib/email.ts'
import { fold, withoutCase } from '../lib/text.ts'
import { violates } from '../store/constraint.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { removeCalendarFeed } from './calendar-feed.ts'
import { type Company, findCompany, findWorkspaceId } from './company.ts'
import { disableKeysOf, revokeKeysOf } from './key.ts'
import { logged } from './logged.ts'
import type { Role } from './role.ts'
import { removeSessions } from './session.ts'
import { requireText } from './text.ts'

export interface User {
  id: string
  company_id: string
  full_name: string
  email: string
  role: Role
  is_active: boolean
  created_at: string
  updated_at: string
}

interface NewUser {
  /** Default: a new one. */
  id?: string | undefined
  companyId: string
  fullName: string
  email: string
  role: Role
  passwordHash?: string | undefined
  /** When it was created and changed, if it was somewhere else before. */
  times?: Readonly<Partial<Pick<User, 'created_at' | 'updated_at'>>>
}

/** The maximum number of users of a company, deactivated ones included: the console lists all of them. */
export const usersMax = 10_000
/** The maximum number of companies that one address can sign in to. */
const signInsMax = 8

const columns = 'id, company_id, full_name, email, role, is_active, created_at, updated_at'

/**
 * Creates a user. Throws VALIDATION_ERROR, NOT_FOUND (company), ALREADY_EXISTS (another user of the company has the address), CONFLICT (the company
 * has too many users).
 */
export function insertUser(tx: Writer, { companyId, fullName, email, role, passwordHash, ...given }: NewUser): User {
  const company = findCompany(tx, companyId)
  if (tx.value<number>('SELECT count(*) FROM user WHERE company_id = ?', company.id)! >= usersMax)
    throw new ApiError('CONFLICT', `A company has at most ${usersMax} users, deactivated ones included`)
  const id = given.id ?? tx.newId()
  const address = requireEmail(email)
  const name = requireText('Full name', fullName)
  const sql = `INSERT INTO user (${columns}, full_name_key, email_key, password_hash) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`
  const values = [
    id,
    company.id,
    name,
    address,
    role,
    given.times?.created_at ?? tx.now,
    given.times?.updated_at ?? tx.now,
    fold(name),
    withoutCase(address),
    passwordHash ?? null,
  ]
  withOwnAddress(company, address, () => loggedUser(tx, { id, company_id: company.id }, () => tx.run(sql, ...values)))
  return findUser(tx, id)
}

export type UserChanges = Partial<Pick<NewUser, 'fullName' | 'email' | 'role'>>

/**
 * Changes the given members. A link ends that was meant for another address, or was made for a user who was no owner yet. The personal keys of
 * a user who becomes an owner are disabled, because somebody else may have made them and know them. Throws NOT_FOUND, VALIDATION_ERROR, ALREADY_EXISTS.
 */
export function updateUser(tx: Writer, id: string, { fullName, email, role }: UserChanges): User {
  const before = findUser(tx, id)
  const name = fullName === undefined ? before.full_name : requireText('Full name', fullName)
  const address = email === undefined ? before.email : requireEmail(email)
  const sql = `UPDATE user SET full_name = ?, full_name_key = ?, email = ?, email_key = ?, role = ?, updated_at = ? WHERE id = ?`
  const values = [name, fold(name), address, withoutCase(address), role ?? before.role, tx.now, id]
  withOwnAddress(findCompany(tx, before.company_id), address, () =>
    loggedUser(tx, before, () => tx.run(sql, ...values)),
  )
  const becomesOwner = role === 'owner' && before.role !== 'owner'
  if (address !== before.email || becomesOwner) removeInvitation(tx, id)
  if (becomesOwner) disableKeysOf(tx, id)
  return findUser(tx, id)
}

/** Runs a write of a user's address. Throws ALREADY_EXISTS if another user of the company has it. */
function withOwnAddress(company: Company, address: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!violates(error, 'user.company_id, user.email_key')) throw error
    const message = `${company.name} already has a user with the email ${address}`
    throw new ApiError('ALREADY_EXISTS', message, { details: [{ field: 'email', message, code: 'INVALID_VALUE' }] })
  }
}

/** Sets a password. Ends all sessions of the user except `except`, and invalidates an invitation. */
export function setPassword(tx: Writer, id: string, passwordHash: string, except?: string): void {
  tx.run('UPDATE user SET password_hash = ?, updated_at = ? WHERE id = ?', passwordHash, tx.now, id)
  removeSessions(tx, id, except)
  removeInvitation(tx, id)
}

/** Lets a deactivated user sign in again. Revoked keys stay revoked. */
export function activateUser(tx: Writer, id: string): User {
  setActive(tx, findUser(tx, id), true)
  return findUser(tx, id)
}

/** Deactivates a user. In the same transaction, ends the sessions, the invitation and the calendar, and revokes the personal keys (decision A7). `at`: when. */
export function deactivateUser(tx: Writer, id: string, at = tx.now): User {
  const user = findUser(tx, id)
  removeSessions(tx, id)
  removeInvitation(tx, id)
  removeCalendarFeed(tx, id)
  setActive(tx, user, false, at)
  revokeKeysOf(tx, id)
  return findUser(tx, id)
}

function setActive(tx: Writer, user: User, active: boolean, at = tx.now): void {
  if (user.is_active === active) return
  const sql = 'UPDATE user SET is_active = ?, updated_at = ? WHERE id = ?'
  loggedUser(tx, user, () => tx.run(sql, Number(active), at, user.id))
}

/** A company's users are in the log of its live workspace (decision G1). */
function loggedUser(tx: Writer, { id, company_id }: Pick<User, 'id' | 'company_id'>, write: () => void): void {
  logged(tx, { resource: 'user', id, workspaceId: findWorkspaceId(tx, company_id, 'live') }, write)
}

export function listUsers(reader: Reader, companyId: string): User[] {
  const sql = `SELECT ${columns} FROM user WHERE company_id = ? ORDER BY id`
  return reader.rows<Stored>(sql, findCompany(reader, companyId).id).map(userOf)
}

/** Throws NOT_FOUND. */
export function findUser(reader: Reader, id: string): User {
  const stored = reader.row<Stored>(`SELECT ${columns} FROM user WHERE id = ?`, id)
  if (!stored) throw new ApiError('NOT_FOUND', `User not found: ${id}`)
  return userOf(stored)
}

/** A user who can sign in. An address can belong to users of several companies. */
export interface SignIn {
  id: string
  company_id: string
  company_name: string
  password_hash: string
}

export function listSignIns(reader: Reader, email: string): SignIn[] {
  const sql = `SELECT user.id, company_id, company.name AS company_name, password_hash
    FROM user JOIN company ON company.id = company_id
    WHERE email_key = ? AND is_active = 1 AND password_hash IS NOT NULL ORDER BY user.id LIMIT ?`
  return reader.rows<SignIn>(sql, withoutCase(email.trim()), signInsMax)
}

/**
 * Replaces the password's hash by `hashed`, which has the salt that all users with this address share. Throws UNAUTHORIZED if the password
 * has changed since it was verified.
 */
export function confirmSignIn(tx: Writer, { id, password_hash }: SignIn, hashed: string): void {
  const now = tx.value<string>('SELECT password_hash FROM user WHERE id = ? AND is_active = 1', id)
  if (now !== password_hash && now !== hashed) throw wrongPassword()
  if (now !== hashed) tx.run('UPDATE user SET password_hash = ? WHERE id = ?', hashed, id)
}

export function wrongPassword(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Email or password is wrong')
}

/** The hash of a user with this address, in any company. Another password for the address gets the same salt. */
export function lookupPasswordHash(reader: Reader, email: string): string | undefined {
  const sql = 'SELECT password_hash FROM user WHERE email_key = ? AND password_hash IS NOT NULL ORDER BY id'
  return reader.value<string>(sql, withoutCase(email.trim()))
}

/** The password's hash of a user who has one. */
export function findPasswordHash(reader: Reader, userId: string): string {
  return reader.value<string>('SELECT password_hash FROM user WHERE id = ?', userId)!
}

/** Whether a company has an owner besides this user who can sign in: whose link is unused cannot, and only an owner makes another. */
export function hasOtherOwner(reader: Reader, { id, company_id }: User): boolean {
  const sql = `SELECT 1 FROM user
    WHERE company_id = ? AND id <> ? AND role = 'owner' AND is_active = 1 AND password_hash IS NOT NULL`
  return reader.value(sql, company_id, id) !== undefined
}

/** An owner who can sign in. */
export function lookupOwnerId(reader: Reader): string | undefined {
  return reader.value<string>("SELECT id FROM user WHERE role = 'owner' AND is_active = 1")
}

export function hasUsers(reader: Reader): boolean {
  return reader.value('SELECT 1 FROM user LIMIT 1') !== undefined
}

/** Ends the link by which a user could choose a password. */
export function removeInvitation(tx: Writer, userId: string): void {
  tx.run('DELETE FROM invitation WHERE user_id = ?', userId)
}

type Stored = Omit<User, 'is_active'> & { is_active: number }

function userOf(stored: Stored): User {
  return { ...stored, is_active: stored.is_active === 1 }
}

/** A trimmed address of a user, or VALIDATION_ERROR. */
export function requireEmail(email: string): string {
  const text = requireText('Email', email)
  if (!isEmailAddress(text)) {
    const message = 'Email must be a valid email address'
    throw validationError([{ field: 'email', message, code: 'INVALID_FORMAT' }])
  }
  return text
}
