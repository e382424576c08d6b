import { migrate } from './migrate.ts'
import type { Connection } from './open.ts'
import { openConnection } from './open.ts'
import type { Schema } from './shape.ts'

const ofCompany = 'company_id = :company'
const ofWorkspaces = 'workspace_id IN (SELECT id FROM source.workspace WHERE company_id = :company)'

/** Which rows of a table belong to a company, by the table's name; of another table, those with its company or workspaces. */
const conditions: Readonly<Record<string, string>> = {
  plan: 'true',
  company: 'id = :company',
  api_key_usage: `api_key_id IN (SELECT id FROM source.api_key WHERE ${ofWorkspaces})`,
  change_term: `id IN (SELECT type FROM source.change WHERE ${ofWorkspaces} UNION SELECT actor FROM source.change WHERE ${ofWorkspaces})`,
}

/**
 * Tables that stay behind: secrets of the installation, sign-ins and links, which belong to it, responses to repeated requests, and what
 * triggers and the worker make again.
 */
const left = new Set([
  ...['setting', 'session', 'invitation', 'calendar_feed', 'setup_link', 'sign_in_attempt', 'sign_in_place'],
  ...['idempotent_answer', 'webhook_delivery', 'search_pending'],
])

/** Counts that triggers maintain, also of deleted rows that are inserted; so they are copied last. */
const counts = ['record_count', 'value_count']

/**
 * Creates a database at `target` with the rows of one company, as they are in one moment, and nothing of any other company. The source is
 * a complete database of this version. Throws SqliteError, for example if the disk is full.
 */
export function copyCompany(source: string, target: string, companyId: string, { schema, steps }: Schema): void {
  const db = openConnection(target, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  try {
    migrate(db, schema, steps)
    db.pragma('foreign_keys = OFF') // the rows come table by table
    db.prepare('ATTACH DATABASE ? AS source').run(source)
    db.transaction(() => {
      for (const table of tablesOf(db)) copyRows(db, table, companyId)
    })()
    db.exec('DETACH DATABASE source')
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0)
      throw new Error('The copy has a reference without its record')
  } finally {
    db.close()
  }
}

/** In the order of the schema, in which a record's triggers run before those of its items. */
function tablesOf(db: Connection): string[] {
  const sql = `SELECT list.name FROM pragma_table_list AS list JOIN sqlite_schema AS entry ON entry.name = list.name
    WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite_%' ORDER BY entry.rowid`
  const tables = db.prepare(sql).pluck().all() as string[]
  return [...tables.filter((name) => !counts.includes(name)), ...counts].filter((name) => !left.has(name))
}

function copyRows(db: Connection, table: string, companyId: string): void {
  const all = db.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(table) as {
    name: string
    hidden: number
  }[]
  const columns = all.filter(({ hidden }) => hidden === 0).map(({ name }) => name)
  db.exec(`DELETE FROM main."${table}"`) // what the schema or a trigger has put there
  const names = columns.map((name) => `"${name}"`).join(', ')
  db.prepare(
    `INSERT INTO main."${table}" (${names}) SELECT ${names} FROM source."${table}" WHERE ${conditionOf(table, columns)}`,
  ).run({
    company: companyId,
  })
}

function conditionOf(table: string, columns: readonly string[]): string {
  const condition = conditions[table]
  if (condition !== undefined) return condition
  if (columns.includes('company_id')) return ofCompany
  if (columns.includes('workspace_id')) return ofWorkspaces
  throw new Error(`It is not known which rows of ${table} belong to a company`)
}
