import type { Reader } from './reader.ts'

/** A table that has rows of companies. */
export interface CompanyTable {
  name: string
  /** Without those that SQLite generates. */
  columns: readonly string[]
  key: readonly string[]
}

type Database = 'main' | 'source'

const workspacesOf = (from: Database) => `SELECT id FROM ${from}.workspace WHERE company_id = ?`
const ofUsers = (from: Database) => `user_id IN (SELECT id FROM ${from}.user WHERE company_id = ?)`

/** Which rows of a table belong to a company, by the table's name; of another table, those with its company or workspaces. */
const conditions: Readonly<Record<string, (from: Database) => string>> = {
  plan: () => '? IS NOT NULL',
  company: () => 'id = ?',
  session: ofUsers,
  invitation: ofUsers,
  calendar_feed: ofUsers,
  sign_in_place: ofUsers,
  user_notice: ofUsers,
  api_key_usage: (from) =>
    `api_key_id IN (SELECT id FROM ${from}.api_key WHERE workspace_id IN (${workspacesOf(from)}))`,
  change_term: (from) => `id IN (WITH own AS (${workspacesOf(from)})
    SELECT type FROM ${from}.change WHERE workspace_id IN own UNION SELECT actor FROM ${from}.change WHERE workspace_id IN own)`,
}

/** What the search index has still to enter of a workspace, and how far readers of the log have come there. */
export const progressTables: readonly string[] = ['search_pending', 'search_start', 'log_reader']

/** What the installation has for itself, and what triggers, readers of the log and the worker make again. */
const ofNoCompany = new Set(['setting', 'setup_link', 'sign_in_attempt', ...progressTables])

/** Tables from which the search index reads, when it finds a record of another table. */
const early = ['field', 'field_index', 'field_value', 'field_choice']
/** Counts that triggers maintain, also of deleted rows that are inserted. */
export const countTables: readonly string[] = ['record_count', 'value_count', 'stored_bytes']

/**
 * Every table that has rows of companies, in an order in which rows refer to earlier ones only, and in which the triggers of a record run
 * before those of its items.
 */
export function listCompanyTables(access: Reader): CompanyTable[] {
  const sql = `SELECT list.name FROM pragma_table_list AS list JOIN sqlite_schema AS entry ON entry.name = list.name
    WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite_%' ORDER BY entry.rowid`
  const names = access.values<string>(sql).filter((name) => !ofNoCompany.has(name))
  const moved = new Set([...early, ...countTables])
  const rest = names.filter((name) => !moved.has(name))
  const first = rest.indexOf('workspace') + 1
  return [...rest.slice(0, first), ...early, ...rest.slice(first), ...countTables].map((name) => tableOf(access, name))
}

export function tableOf(access: Reader, name: string): CompanyTable {
  const all = access.rows<{ name: string; hidden: number; pk: number }>(
    "SELECT name, hidden, pk FROM pragma_table_xinfo(?, 'main')",
    name,
  )
  const key = all.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const columns = all.filter(({ hidden }) => hidden === 0)
  return { name, columns: columns.map((each) => each.name), key: key.map((each) => each.name) }
}

/** A condition with one parameter, the company's id: which rows of a table of the database belong to it. */
export function ownRows({ name, columns }: CompanyTable, from: Database): string {
  const condition = conditions[name]
  if (condition !== undefined) return condition(from)
  if (columns.includes('company_id')) return 'company_id = ?'
  if (columns.includes('workspace_id')) return `workspace_id IN (${workspacesOf(from)})`
  throw new Error(`It is not known which rows of ${name} belong to a company`)
}

/** Names of columns for a statement. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
