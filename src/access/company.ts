import { ApiError, validationError } from '../errors.ts'
import { currencyForm } from '../lib/currency.ts'
import { requireHere } from '../store/company-move.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { findPlan } from './plan.ts'
import { readRemovedWorkspace, storeRemovedWorkspace } from './setting.ts'
import { requireText } from './text.ts'
import { requireTimeZone } from './time-zone.ts'

export interface Company {
  id: string
  name: string
  plan: string
  /** The country in which national telephone numbers are dialled, as ISO 3166-1 alpha-2 (decision K7). */
  phone_country: string | null
  /** In which reports add up: a code of three letters (decision T8). */
  currency: string
  /** In which exchange rates become valid: a name such as `Europe/Berlin`. */
  time_zone: string
  created_at: string
  updated_at: string
}

export interface NewCompany {
  name: string
  plan: string
}

export type CompanyChanges = Partial<NewCompany & Pick<Company, 'phone_country' | 'currency' | 'time_zone'>>

export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]

const columns = 'id, name, plan, phone_country, currency, time_zone, created_at, updated_at'

/** Creates a company with a live and a test workspace (decision A2); `fill` adds the initial records of each. */
export function insertCompany(tx: Writer, input: NewCompany, fill: (tx: Writer) => void): Company {
  const id = tx.newId()
  const name = requireText('Name', input.name)
  const plan = findPlan(tx, input.plan).name
  tx.run(
    'INSERT INTO company (id, name, plan, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
    id,
    name,
    plan,
    tx.now,
    tx.now,
  )
  for (const environment of environments) {
    fill(tx.inWorkspace(insertWorkspace(tx, id, environment)))
  }
  return findCompany(tx, id)
}

/** Changes the given members; `phone_country` is of `requirePhoneCountry`. Throws VALIDATION_ERROR, NOT_FOUND (the company, the plan), COMPANY_MOVED. */
export function updateCompany(tx: Writer, id: string, changes: CompanyChanges): Company {
  const before = findCompany(tx, id)
  requireHere(tx, id)
  const name = changes.name === undefined ? before.name : requireText('Name', changes.name)
  const plan = changes.plan === undefined ? before.plan : findPlan(tx, changes.plan).name
  const { phone_country = before.phone_country } = changes
  const currency = changes.currency === undefined ? before.currency : requireCurrency(changes.currency)
  const time_zone = changes.time_zone === undefined ? before.time_zone : requireTimeZone(changes.time_zone)
  const after = { ...before, name, plan, phone_country, currency, time_zone }
  if (JSON.stringify(after) === JSON.stringify(before)) return before
  const sql =
    'UPDATE company SET name = ?, plan = ?, phone_country = ?, currency = ?, time_zone = ?, updated_at = ? WHERE id = ?'
  tx.run(sql, name, plan, phone_country, currency, time_zone, tx.now, id)
  tx.forget()
  return findCompany(tx, id)
}

/** A code of three letters, in upper case. Throws VALIDATION_ERROR. */
function requireCurrency(text: string): string {
  const code = text.trim()
  if (currencyForm.test(code)) return code.toUpperCase()
  const message = 'Currency must be a currency code of three letters, such as EUR, CHF or USD'
  throw validationError([{ field: 'currency', message, code: 'INVALID_FORMAT' }])
}

export function listCompanies(reader: Reader): Company[] {
  return reader.rows<Company>(`SELECT ${columns} FROM company ORDER BY id`)
}

/** Throws NOT_FOUND. */
export function findCompany(reader: Reader, id: string): Company {
  const company = reader.row<Company>(`SELECT ${columns} FROM company WHERE id = ?`, id)
  if (!company) throw new ApiError('NOT_FOUND', `Company not found: ${id}`)
  return company
}

/** Returns its number, which no workspace has had: caches, cursors and names of logs are of one workspace for ever. */
export function insertWorkspace(tx: Writer, companyId: string, environment: Environment): number {
  const id = 1 + Math.max(greatestWorkspaceId(tx), readRemovedWorkspace(tx))
  tx.run('INSERT INTO workspace (id, company_id, environment) VALUES (?, ?, ?)', id, companyId, environment)
  return id
}

/** Removes the company itself, when nothing refers to it any more. */
export function removeCompanyRow(tx: Writer, id: string): void {
  storeRemovedWorkspace(tx, Math.max(greatestWorkspaceId(tx), readRemovedWorkspace(tx)))
  tx.run('DELETE FROM workspace WHERE company_id = ?', id)
  tx.run('DELETE FROM company WHERE id = ?', id)
}

function greatestWorkspaceId(reader: Reader): number {
  return reader.value<number | null>('SELECT max(id) FROM workspace') ?? 0
}

/** The workspaces of all companies. */
export function listWorkspaceIds(reader: Reader): number[] {
  return reader.values<number>('SELECT id FROM workspace')
}

export function hasWorkspace(reader: Reader, id: number): boolean {
  return reader.value('SELECT 1 FROM workspace WHERE id = ?', id) !== undefined
}

export function findWorkspaceId(reader: Reader, companyId: string, environment: Environment): number {
  const sql = 'SELECT id FROM workspace WHERE company_id = ? AND environment = ?'
  return reader.value<number>(sql, findCompany(reader, companyId).id, environment)!
}
