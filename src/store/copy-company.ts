import { type CompanyTable, listCompanyTables, listed, ownRows } from './company-tables.ts'
import { migrate } from './migrate.ts'
import type { Connection } from './open.ts'
import { openConnection } from './open.ts'
import type { Schema } from './shape.ts'
import { Statements, WorkspaceReader } from './statements.ts'

interface Copied extends Schema {
  /** The tables that stay behind. */
  without?: readonly string[]
}

/**
 * Creates a database at `target` with the rows of one company, as they are in one moment, and nothing of any other company. The source is
 * a complete database of this version. Throws SqliteError, for example if the disk is full.
 */
export function copyCompany(
  source: string,
  target: string,
  companyId: string,
  { schema, steps, without = [] }: Copied,
): void {
  const db = openConnection(target, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', create: true })
  try {
    migrate(db, schema, steps)
    db.pragma('foreign_keys = OFF') // the rows come table by table
    db.prepare('ATTACH DATABASE ? AS source').run(source)
    const tables = listCompanyTables(new WorkspaceReader(new Statements(db, () => {}), undefined))
    db.transaction(() => {
      for (const table of tables) if (!without.includes(table.name)) copyRows(db, table, companyId)
    })()
    db.exec('DETACH DATABASE source')
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0)
      throw new Error('The copy has a reference without its record')
  } finally {
    db.close()
  }
}

function copyRows(db: Connection, table: CompanyTable, companyId: string): void {
  const names = listed(table.columns)
  db.exec(`DELETE FROM main."${table.name}"`) // what the schema or a trigger has put there
  const sql = `INSERT INTO main."${table.name}" (${names}) SELECT ${names} FROM source."${table.name}" WHERE ${ownRows(table, 'source')}`
  db.prepare(sql).run(companyId)
}
