import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { findPlan } from './plan.ts'
import { requireText } from './text.ts'

export interface Company {
  id: string
  name: string
  plan: string
  created_at: string
  updated_at: string
}

export interface NewCompany {
  name: string
  plan: string
}

export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]

const columns = 'id, name, plan, created_at, updated_at'

/** Creates a company with a live and a test workspace (decision A2); `fill` adds the initial records of each. */
export function insertCompany(tx: Writer, input: NewCompany, fill: (tx: Writer) => void): Company {
  const id = tx.newId()
  const name = requireText('Name', input.name)
  const plan = findPlan(tx, input.plan).name
  tx.run(`INSERT INTO company (${columns}) VALUES (?, ?, ?, ?, ?)`, id, name, plan, tx.now, tx.now)
  for (const environment of environments) {
    tx.run('INSERT INTO workspace (company_id, environment) VALUES (?, ?)', id, environment)
    fill(tx.inWorkspace(findWorkspaceId(tx, id, environment)))
  }
  return findCompany(tx, id)
}

/** Changes the given members. Throws VALIDATION_ERROR, NOT_FOUND (the company, the plan). */
export function updateCompany(tx: Writer, id: string, changes: Partial<NewCompany>): Company {
  const before = findCompany(tx, id)
  const name = changes.name === undefined ? before.name : requireText('Name', changes.name)
  const plan = changes.plan === undefined ? before.plan : findPlan(tx, changes.plan).name
  if (name === before.name && plan === before.plan) return before
  tx.run('UPDATE company SET name = ?, plan = ?, updated_at = ? WHERE id = ?', name, plan, tx.now, id)
  return findCompany(tx, id)
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

/** The workspaces of all companies. */
export function listWorkspaceIds(reader: Reader): number[] {
  return reader.values<number>('SELECT id FROM workspace')
}

export function findWorkspaceId(reader: Reader, companyId: string, environment: Environment): number {
  const sql = 'SELECT id FROM workspace WHERE company_id = ? AND environment = ?'
  return reader.value<number>(sql, findCompany(reader, companyId).id, environment)!
}
