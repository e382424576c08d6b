import type { Statement } from 'better-sqlite3'
import type { Connection } from './open.ts'

/** Parameters whose values SQLite uses to plan a statement that sorts, joins or has a limit. */
const planned = /(?<=(?:=|\bIS|\bLIMIT|\bOFFSET) )(?:\?|:\w+)/g

/**
 * Prepares a statement so that it is planned once, without the values of its parameters: an expression (`+?`) has no part in the plan.
 * Otherwise SQLite plans it again whenever they change, and better-sqlite3 clears them after each run. That took longer than most statements.
 */
export function prepare(db: Connection, sql: string): Statement {
  return db.prepare(sql.replace(planned, '+$&'))
}
