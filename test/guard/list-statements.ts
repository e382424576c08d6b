import assert from 'node:assert/strict'
import { findPage } from '../../src/engine/finding/list/page.ts'
import { readListQuery } from '../../src/engine/finding/query/query.ts'
import type { Declared } from '../../src/engine/records/declared/declared.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import type { CursorValue } from '../../src/lib/cursor.ts'
import { schemaSql } from '../../src/packaging/embedded.ts'
import { openConnection } from '../../src/store/open.ts'
import { prepare } from '../../src/store/prepare.ts'
import type { Reader, SqlValue } from '../../src/store/reader.ts'
import { restrict } from '../../src/store/visibility.ts'
import { isOfVisibility } from './visibility-steps.ts'

const db = openConnection(':memory:', { busyTimeoutMs: 0, synchronous: 'NORMAL' })
db.exec(schemaSql)
restrict(db)

/** `matching`: how many records match a filter; `patterned`: and a pattern; `candidates`: how many are counted before an index is chosen. */
interface Scene {
  candidates: number
  matching: number
  patterned?: number
}

const records = 1_000_000
export const scenes: Scene[] = [
  { candidates: 10, matching: 10 },
  { candidates: records, matching: 10 },
  { candidates: records, matching: records },
]

interface Statement {
  kind: 'candidates' | 'count' | 'gather' | 'page'
  sql: string
  plan: string[]
}

/** The statements that a list of a million records runs, each with SQLite's plan. */
export function statementsOf(
  resource: Resource,
  query: string,
  { candidates, matching, patterned = matching }: Scene,
  declared: readonly Declared[] = [],
  /** The value of each sort key of the last record of the page before, except its id. */
  placed?: CursorValue,
): Statement[] {
  const statements: Statement[] = []
  const see = (sql: string, params: SqlValue[], kind: Statement['kind']) => {
    const rows = prepare(db, `EXPLAIN QUERY PLAN ${sql}`).all(...params, { workspace: 1 }) as { detail: string }[]
    const plan = rows
      .map(({ detail }) => detail.replace(/^SEARCH row /, `SEARCH ${resource.table} `))
      .filter((detail) => !isOfVisibility(detail))
    statements.push({ kind, sql, plan })
  }
  const value = (sql: string, ...params: SqlValue[]) => {
    if (sql.includes('FROM record_count')) return records
    if (sql.includes('FROM value_count')) return matching
    if (sql === 'SELECT :workspace') return 1
    if (sql.includes('FROM search_start')) return undefined
    if (/^SELECT count\(\*\) FROM \((?!SELECT \* FROM main\.)/.test(sql)) {
      see(sql, params, 'candidates')
      return candidates
    }
    see(sql, params, 'count')
    return sql.includes('instr(') ? patterned : matching
  }
  const values = (sql: string, ...params: SqlValue[]) => {
    if (sql.endsWith('LIMIT 500')) return [] // reads a sample
    const kind = sql.includes(', id, NULL) FROM') ? 'gather' : sql.includes('FROM search ') ? 'candidates' : 'page'
    see(sql, params, kind)
    return kind === 'candidates' ? Array(Math.min(candidates, Number(params.at(-1)))).fill('id') : []
  }
  const none = () => assert.fail('an empty page has no last row')
  const { name, table, counted } = resource
  const { where, order, limit } = readListQuery(resource, query, declared)
  const place = placed === undefined ? undefined : order.map(({ column }) => (column === 'id' ? 'id' : placed))
  const reader = { value, values, row: none, rows: none } as unknown as Reader
  const shown = { json: 'record', withItems: false, offset: 0, place, stoppable: false }
  findPage(reader, { name, table, counted, where, order, limit, ...shown })
  return statements
}
