import type { Statement } from 'better-sqlite3'
import { RecentlyUsed } from '../lib/recently-used.ts'
import { ChangeLog } from './change-log.ts'
import { undone } from './constraint.ts'
import type { Shown } from './log-position.ts'
import type { Connection } from './open.ts'
import { prepare } from './prepare.ts'
import type { Reader, SqlParam } from './reader.ts'
import type { SlowStatements } from './slow.ts'
import { type Eye, everything, restrict, type View } from './visibility.ts'

/** Lists with filters produce many different texts; beyond this number, the least recently used statements are dropped. */
const cachedStatementsMax = 500
/** How many values readers remember. */
const rememberedMax = 2_000

type Control =
  | 'BEGIN'
  | 'BEGIN IMMEDIATE'
  | 'COMMIT'
  | 'ROLLBACK'
  | 'SAVEPOINT part'
  | 'RELEASE part'
  | 'ROLLBACK TO part'

/** Prepares each statement once and keeps it. */
export class Statements {
  readonly #db: Connection
  readonly #controls = new Map<Control, Statement>()
  readonly #rows = new RecentlyUsed<Statement>(cachedStatementsMax)
  readonly #values = new RecentlyUsed<Statement>(cachedStatementsMax)
  readonly #dataVersion: Statement
  /** Returns the position in the log that the read shows; undefined: it is not known. */
  readonly beforeRead: () => number | undefined
  readonly changeLog = new ChangeLog(this)
  /** For whom the next statement runs. */
  readonly eye: Eye
  #remembered = new RecentlyUsed<unknown>(rememberedMax)
  readonly #slow: SlowStatements | undefined

  constructor(db: Connection, beforeRead: () => number | undefined, slow?: SlowStatements) {
    this.#db = db
    this.#slow = slow
    this.beforeRead = beforeRead
    this.eye = restrict(db)
    this.#dataVersion = db.prepare('PRAGMA data_version').pluck()
  }

  /** Reports the statement if it was slow; `begin` is its start by `performance.now()`. */
  reportSlow(begin: number, sql: string, params: SqlParam[], bound: object, cause: string | undefined): void {
    if (!this.#slow) return
    const ms = performance.now() - begin
    if (ms >= this.#slow.ms) this.#slow.report({ ms, sql, plan: this.#planOf(sql, [...params, bound]), cause })
  }

  #planOf(sql: string, params: unknown[]): string[] {
    const steps = prepare(this.#db, `EXPLAIN QUERY PLAN ${sql}`).all(...params) as { detail: string }[]
    return steps.map(({ detail }) => detail)
  }

  control(sql: Control): void {
    let statement = this.#controls.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql)
      this.#controls.set(sql, statement)
    }
    statement.run()
  }

  /** Runs a part of a transaction and undoes it if it throws. Throws 503 if the failure has undone the complete transaction. */
  savepoint<T>(run: () => T): T {
    this.control('SAVEPOINT part')
    try {
      const result = run()
      this.control('RELEASE part')
      return result
    } catch (error) {
      if (!this.#db.inTransaction) throw undone(this.#db.name, error)
      this.control('ROLLBACK TO part')
      this.control('RELEASE part')
      this.forget()
      throw error
    }
  }

  /** What `read` returned before, unless it has been forgotten. */
  remember<T>(name: string, read: () => T): T {
    const known = this.#remembered.get(name)
    return known === undefined ? (this.#remembered.put(name, read()) as T) : (known as T)
  }

  /** Forgets what was read, because another connection has written or a write was undone. */
  forget(): void {
    this.changeLog.forget()
    this.forgetRemembered()
  }

  /** Forgets what readers remember. */
  forgetRemembered(): void {
    this.#remembered = new RecentlyUsed(rememberedMax)
  }

  dataVersion(): number {
    return this.#dataVersion.get() as number
  }

  row(sql: string): Statement {
    return this.#rows.get(sql) ?? this.#rows.put(sql, prepare(this.#db, sql))
  }

  /** A statement that returns only the first column of each row. */
  value(sql: string): Statement {
    return this.#values.get(sql) ?? this.#values.put(sql, prepare(this.#db, sql).pluck())
  }
}

/** For whom a workspace is read, and for what. */
export interface ReaderOptions {
  /** Default: everything. */
  view?: View | undefined
  /** The id of the request, for the report of slow statements. */
  cause?: string | undefined
  /** Notes the positions of what is read. */
  shown?: Shown | undefined
}

/** The only access to the tables. Binds its workspace to every statement; without one, reads companies, users, keys and plans. */
export class WorkspaceReader implements Reader {
  protected readonly statements: Statements
  protected readonly bound: { workspace: number } | Record<string, never>

  readonly #view: View
  readonly #cause: string | undefined
  readonly #shown: Shown | undefined

  constructor(
    statements: Statements,
    workspace: number | undefined,
    { view = everything, cause, shown }: ReaderOptions = {},
  ) {
    this.statements = statements
    this.#view = view
    this.#cause = cause
    this.#shown = shown
    this.bound = workspace === undefined ? {} : { workspace }
  }

  value<T extends SqlParam>(sql: string, ...params: SqlParam[]): T | undefined {
    return this.ask('value', 'get', sql, params) as T | undefined
  }

  values<T extends SqlParam>(sql: string, ...params: SqlParam[]): T[] {
    return this.ask('value', 'all', sql, params) as T[]
  }

  each<T extends SqlParam>(sql: string, ...params: SqlParam[]): Iterable<T> {
    const statement = this.statements.value(sql)
    this.#beginRead()
    return this.#seen(statement.iterate(...params, this.bound) as IterableIterator<T>)
  }

  row<T>(sql: string, ...params: SqlParam[]): T | undefined {
    return this.ask('row', 'get', sql, params) as T | undefined
  }

  rows<T>(sql: string, ...params: SqlParam[]): T[] {
    return this.ask('row', 'all', sql, params) as T[]
  }

  remember<T>(name: string, read: () => T): T {
    this.#beginRead()
    return this.statements.remember(`${this.bound.workspace} ${name}`, read)
  }

  /** Other statements may run between two rows. */
  *#seen<T>(rows: IterableIterator<T>): Iterable<T> {
    try {
      for (;;) {
        this.statements.eye.view = this.#view
        const { done, value } = rows.next()
        if (done) return
        yield value
      }
    } finally {
      rows.return?.()
    }
  }

  protected ask(shape: 'value' | 'row', how: 'get' | 'all' | 'run', sql: string, params: SqlParam[]): unknown {
    const begin = performance.now()
    const statement = this.statements[shape](sql)
    this.#beginRead()
    this.statements.eye.view = this.#view
    const result = run(statement, how, params, this.bound)
    this.statements.reportSlow(begin, sql, params, this.bound, this.#cause)
    return result
  }

  #beginRead(): void {
    const position = this.statements.beforeRead()
    this.#shown?.note(position)
  }
}

/** Not `statement[how]`: calling a method by a variable name takes longer than most statements. */
function run(statement: Statement, how: 'get' | 'all' | 'run', params: SqlParam[], bound: object): unknown {
  if (how === 'get') return statement.get(...params, bound)
  return how === 'all' ? statement.all(...params, bound) : statement.run(...params, bound)
}
