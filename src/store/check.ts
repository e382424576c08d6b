import { codeOf } from './constraint.ts'
import { partialCompaniesSql } from './move-state.ts'
import { type Connection, damageError } from './open.ts'
import { findDifferences, type Schema } from './shape.ts'

export const findingsMax = 100

/**
 * Reads the complete database in one transaction, unless its definitions are not Kontor's: nothing that others have defined is used. Returns
 * what is wrong with it, one sentence per finding.
 */
export function findDamage(db: Connection, schema: Schema): string[] {
  try {
    return db.transaction(() => {
      for (const find of [findDifferences, structure, references, counts]) {
        const found = find(db, schema)
        if (found.length > 0) return found
      }
      return []
    })()
  } catch (error) {
    // A value that an expression of Kontor's own definitions cannot compute with is damage, too.
    if (damageError(db.name, error) || codeOf(error) === 'SQLITE_ERROR') return [(error as Error).message]
    throw error
  }
}

function structure(db: Connection): string[] {
  const rows = db.prepare(`PRAGMA integrity_check(${findingsMax})`).pluck().all() as string[]
  return rows.filter((text) => text !== 'ok')
}

function references(db: Connection): string[] {
  const rows = db.pragma('foreign_key_check') as { table: string; parent: string }[]
  return rows
    .slice(0, findingsMax)
    .map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that is not there`)
}

/** The companies of which only a part is here, because their import or removal has not ended. Nothing of it is compared. */
export function listPartial(db: Connection): string[] {
  return isThere(db, 'setting') ? (db.prepare(partialCompaniesSql).pluck().all() as string[]) : []
}

/** Compares the totals that triggers maintain with the rows. */
function counts(db: Connection): string[] {
  const strange = strangeCounts(db)
  if (strange.length > 0) return strange
  const sql = 'SELECT id FROM workspace WHERE company_id NOT IN (SELECT value FROM json_each(?))'
  const workspaces = db
    .prepare(sql)
    .pluck()
    .all(JSON.stringify(listPartial(db))) as number[]
  const [hasTallies, hasBytes] = ['value_count', 'stored_bytes'].map((table) => isThere(db, table))
  return workspaces.flatMap((workspace) => [
    ...countsOf(db, workspace),
    ...(hasTallies ? talliesOf(db, workspace) : []),
    ...(hasBytes ? bytesOf(db, workspace) : []),
  ])
}

/** Databases of older versions lack tables of totals. */
function isThere(db: Connection, table: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
}

/** Totals of something that is no column of a table of records: the names are put into statements. */
function strangeCounts(db: Connection): string[] {
  const named = [
    ['record_count', "'deleted_at'"],
    ['value_count', "'deleted_at'"],
    ['value_count', 'field'],
    ['stored_bytes', 'field'],
  ] as const
  const sql = named
    .filter(([totals]) => isThere(db, totals))
    .map(([totals, column]) => namedIn(totals, column))
    .join(' UNION ')
  const names = db.prepare(sql).pluck().all() as string[]
  return names.map((name) => `there is a stored total of ${JSON.stringify(name)}, which is not a table with totals`)
}

/** Selects the resources in a table of totals that have no such column. */
function namedIn(totals: string, column: string): string {
  return `SELECT resource FROM "${totals}" WHERE NOT EXISTS (
    SELECT 1 FROM pragma_table_list AS list, pragma_table_info(list.name, 'main') AS info
    WHERE list.schema = 'main' AND list.type = 'table' AND list.name = resource AND info.name = ${column})`
}

interface Tallied {
  resource: string
  field: string
}

interface ValueCount {
  value: unknown
  records: number
}

function talliesOf(db: Connection, workspace: number): string[] {
  const sql = 'SELECT DISTINCT resource, field FROM value_count WHERE workspace_id = :workspace'
  const tallied = db.prepare(sql).all({ workspace }) as Tallied[]
  return tallied.flatMap((each) => tallyOf(db, workspace, each))
}

function tallyOf(db: Connection, workspace: number, { resource, field }: Tallied): string[] {
  const countSql = `SELECT "${field}" AS value, count(*) AS records FROM "${resource}"
    WHERE workspace_id = :workspace AND deleted_at IS NULL GROUP BY 1`
  const storedSql = `SELECT value, records FROM value_count
    WHERE workspace_id = :workspace AND resource = :resource AND field = :field AND records > 0`
  const counted = db.prepare(countSql).all({ workspace }) as ValueCount[]
  const stored = db.prepare(storedSql).all({ workspace, resource, field }) as ValueCount[]
  const byValue = (counts: ValueCount[]) => new Map(counts.map(({ value, records }) => [value, records]))
  const [actual, kept] = [byValue(counted), byValue(stored)]
  return [...new Set([...actual.keys(), ...kept.keys()])]
    .filter((value) => actual.get(value) !== kept.get(value))
    .map((value) => {
      const [rows, total] = [actual.get(value) ?? 0, kept.get(value) ?? 0]
      return `workspace ${workspace} has ${rows} rows of ${resource} with ${field} ${value}, but their stored total is ${total}`
    })
}

interface StoredBytes extends Tallied {
  bytes: number
}

function bytesOf(db: Connection, workspace: number): string[] {
  const sql = 'SELECT resource, field, bytes FROM stored_bytes WHERE workspace_id = :workspace'
  const stored = db.prepare(sql).all({ workspace }) as StoredBytes[]
  return stored.flatMap(({ resource, field, bytes }) => {
    const sql = `SELECT coalesce(sum("${field}"), 0) FROM "${resource}" WHERE workspace_id = :workspace`
    const sum = db.prepare(sql).pluck().get({ workspace })
    return sum === bytes
      ? []
      : [`workspace ${workspace} has ${sum} ${field} of ${resource}, but its stored sum is ${bytes}`]
  })
}

function countsOf(db: Connection, workspace: number): string[] {
  const sql = 'SELECT resource, records FROM record_count WHERE workspace_id = :workspace'
  const stored = db.prepare(sql).all({ workspace }) as { resource: string; records: number }[]
  return stored.flatMap(({ resource, records }) => {
    const sql = `SELECT count(*) FROM "${resource}" WHERE workspace_id = :workspace AND deleted_at IS NULL`
    const counted = db.prepare(sql).pluck().get({ workspace })
    return counted === records
      ? []
      : [`workspace ${workspace} has ${counted} rows of ${resource}, but its stored total is ${records}`]
  })
}
