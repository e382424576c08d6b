import type { Statement } from 'better-sqlite3'
import type { Connection } from './open.ts'

/** Among others, the parameters whose values SQLite uses to plan a statement that sorts, joins or has a limit. */
const planned = /(?<=(?:=|\bIS|\bLIMIT|\bOFFSET) )(?:\?|:\w+)/g

/**
 * Prepares a statement so that it is planned once, without the values of these parameters: SQLite ignores the value of an expression
 * (`+?`). Otherwise it plans the statement again whenever they change, and better-sqlite3 clears them after each run. That took longer than
 * most statements.
 */
export function prepare(db: Connection, sql: string): Statement {
  return db.prepare(sql.replace(planned, '+$&'))
}
