import type { Connection } from './open.ts'

const findingsMax = 100

interface KeptCount {
  workspace_id: number
  resource: string
  records: number
}

/** Reads the whole database; answers what is wrong with it, a sentence a finding. */
export function findDamage(db: Connection): string[] {
  return [...structure(db), ...references(db), ...counts(db)]
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

/** The totals that triggers keep, against the rows themselves. */
function counts(db: Connection): string[] {
  const kept = db.prepare('SELECT workspace_id, resource, records FROM record_count').all() as KeptCount[]
  return kept.flatMap(({ workspace_id, resource, records }) => {
    const sql = `SELECT count(*) FROM "${resource}" WHERE workspace_id = :workspace AND deleted_at IS NULL`
    const counted = db.prepare(sql).pluck().get({ workspace: workspace_id })
    return counted === records
      ? []
      : [`workspace ${workspace_id} has ${counted} rows of ${resource}, its total says ${records}`]
  })
}
