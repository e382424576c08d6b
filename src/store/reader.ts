export type SqlValue = string | number | null

/** Runs statements that read. A workspace's reader binds `:workspace`, which every statement must use. */
export interface Reader {
  /** Returns the first column of the first row; undefined if there is none. */
  value<T extends SqlValue>(sql: string, ...params: SqlValue[]): T | undefined
  /** Returns the first column of every row. */
  values<T extends SqlValue>(sql: string, ...params: SqlValue[]): T[]
  row<T>(sql: string, ...params: SqlValue[]): T | undefined
  rows<T>(sql: string, ...params: SqlValue[]): T[]
}

/** Runs statements of one transaction, which has a fixed `now` (ISO 8601). */
export interface Writer extends Reader {
  readonly now: string
  /** Runs a statement. Returns the number of rows that changed. */
  run(sql: string, ...params: SqlValue[]): number
  newId(): string
  /** Runs a part of the transaction and undoes it if it throws. */
  attempt<T>(run: () => T): T
  /** Calls the listener of `topic` (`Store.listen`) once the transaction is on disk. */
  announce(topic: string): void
  /** Returns a writer of a workspace in the same transaction. */
  inWorkspace(id: number): Writer
  /** A writer of companies, users, keys and plans in the same transaction. Cached keys are read again afterwards. */
  readonly access: Writer
}

/** The result of a transaction's function. It must not be a promise: the transaction commits when the function returns. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T
