import type { NewChange, Origin } from './change-log.ts'

export type SqlValue = string | number | null
/** A value of a statement's parameter. Only the log of changes stores bytes. */
export type SqlParam = SqlValue | Uint8Array

/** Runs statements that read. A workspace's reader binds `:workspace`, which every statement must use. */
export interface Reader {
  /** Returns the first column of the first row; undefined if there is none. */
  value<T extends SqlParam>(sql: string, ...params: SqlParam[]): T | undefined
  /** Returns the first column of every row. */
  values<T extends SqlParam>(sql: string, ...params: SqlParam[]): T[]
  /** Reads the first column of every row, one row at a time. Until the last one, nothing can be written. */
  each<T extends SqlParam>(sql: string, ...params: SqlParam[]): Iterable<T>
  row<T>(sql: string, ...params: SqlParam[]): T | undefined
  rows<T>(sql: string, ...params: SqlParam[]): T[]
  /** Returns what `read` returned for this name and workspace before, until a writer calls `forget` or another connection writes. */
  remember<T>(name: string, read: () => T): T
}

/** Runs statements of one transaction, which has a fixed `now` (ISO 8601). */
export interface Writer extends Reader {
  readonly now: string
  /** Runs a statement. Returns the number of rows that changed. */
  run(sql: string, ...params: SqlParam[]): number
  /** Makes readers read again what they remember, because it is changed here. */
  forget(): void
  newId(): string
  randomBytes(size: number): Uint8Array
  /** Who writes, and for which request. */
  readonly origin: Origin
  /** Adds a change of this workspace to its log. The statements that change a record do this (engine/records/rows/rows.ts). */
  log(change: NewChange): void
  /** Runs a part of the transaction and undoes it if it throws. */
  attempt<T>(run: () => T): T
  /** Returns a writer of the same transaction for another origin. */
  as(origin: Origin): Writer
  /** Calls the listeners of `topic` (`Store.listen`) once the transaction is on disk. */
  announce(topic: string): void
  /** Returns a writer of a workspace in the same transaction. */
  inWorkspace(id: number): Writer
  /** A writer of the same transaction that sees every row: for what follows from a write, wherever that is. */
  readonly unrestricted: Writer
  /** A writer of companies, users, keys and plans in the same transaction. Cached keys are read again afterwards. */
  readonly access: Writer
}

/** The result of a transaction's function. It must not be a promise: the transaction commits when the function returns. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/** The function of a transaction. */
export type Run<T> = (tx: Writer) => Synchronous<T>
