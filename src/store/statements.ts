import type { Statement } from 'better-sqlite3'
import type { Connection } from './open.ts'
import type { Reader, SqlValue, Writer } from './store.ts'

/** A list's filters make many different texts: past this, the oldest prepared statement is dropped. */
const cachedStatementsMax = 500

type Control =
  | 'BEGIN'
  | 'BEGIN IMMEDIATE'
  | 'COMMIT'
  | 'ROLLBACK'
  | 'SAVEPOINT one_write'
  | 'RELEASE one_write'
  | 'ROLLBACK TO one_write'

/** Prepares each statement once and binds what the door it came through stands for. */
export class Statements {
  readonly #db: Connection
  readonly #beforeRead: () => void
  readonly #rows = new Map<string, Statement>()
  readonly #values = new Map<string, Statement>()
  readonly #dataVersion: Statement

  constructor(db: Connection, beforeRead: () => void) {
    this.#db = db
    this.#beforeRead = beforeRead
    this.#dataVersion = db.prepare('PRAGMA data_version').pluck()
  }

  /** A reader of one workspace, or with `undefined` of what is above the workspaces. */
  of(workspace: number | undefined): Reader {
    const bound = workspace === undefined ? [] : [{ workspace }]
    return {
      value: (sql, ...params) => this.#value(sql, bound).get(...params, ...bound) as never,
      values: (sql, ...params) => this.#value(sql, bound).all(...params, ...bound) as never,
      row: (sql, ...params) => this.#row(sql, bound).get(...params, ...bound) as never,
      rows: (sql, ...params) => this.#row(sql, bound).all(...params, ...bound) as never,
    }
  }

  writer(workspace: number | undefined, now: string, newId: () => string): Writer {
    const bound = workspace === undefined ? [] : [{ workspace }]
    const run = (sql: string, ...params: SqlValue[]) => this.#row(sql, bound).run(...params, ...bound).changes
    return { ...this.of(workspace), now, newId, run }
  }

  control(sql: Control): void {
    this.#prepare(this.#rows, sql).run()
  }

  dataVersion(): number {
    return this.#dataVersion.get() as number
  }

  #row(sql: string, bound: object[]): Statement {
    this.#beforeRead()
    return this.#rows.get(sql) ?? this.#prepare(this.#rows, checked(sql, bound))
  }

  #value(sql: string, bound: object[]): Statement {
    this.#beforeRead()
    return this.#values.get(sql) ?? this.#prepare(this.#values, checked(sql, bound)).pluck()
  }

  #prepare(cache: Map<string, Statement>, sql: string): Statement {
    const cached = cache.get(sql)
    if (cached) return cached
    if (cache.size >= cachedStatementsMax) cache.delete(cache.keys().next().value!)
    const statement = this.#db.prepare(sql)
    cache.set(sql, statement)
    return statement
  }
}

/** No statement leaves a workspace's door without saying which workspace it is about. */
function checked(sql: string, bound: object[]): string {
  if (bound.length > 0 && !sql.includes(':workspace')) throw new Error(`A statement without :workspace: ${sql}`)
  return sql
}
