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
  return workspaces.flatMap((workspace) => countsOf(db, workspace))
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
