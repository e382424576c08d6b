import { type Connection, damageError } from './open.ts'
import { findDifferences, type Schema } from './shape.ts'

export const findingsMax = 100

/** Reads the complete database in one transaction. Returns what is wrong with it, one sentence per finding. */
export function findDamage(db: Connection, schema: Schema): string[] {
  try {
    return db.transaction(() => {
      const broken = [...structure(db), ...findDifferences(db, schema)]
      return broken.length > 0 ? broken : [...references(db), ...counts(db)]
    })()
  } catch (error) {
    if (damageError(db.name, error)) return [(error as Error).message]
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

/** Compares the totals that triggers maintain with the rows. */
function counts(db: Connection): string[] {
  const workspaces = db.prepare('SELECT id FROM workspace').pluck().all() as number[]
  const hasTallies = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'value_count'").get() // from version 7 on
  return workspaces.flatMap((workspace) => [
    ...countsOf(db, workspace),
    ...(hasTallies ? talliesOf(db, workspace) : []),
  ])
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
