export type SqlValue = string | number | null

/** May read. A reader of a workspace binds `:workspace` in every statement, which must use it. */
export interface Reader {
  /** First column of the first row. */
  value<T extends SqlValue>(sql: string, ...params: SqlValue[]): T | undefined
  /** First column of every row. */
  values<T extends SqlValue>(sql: string, ...params: SqlValue[]): T[]
  row<T>(sql: string, ...params: SqlValue[]): T | undefined
  rows<T>(sql: string, ...params: SqlValue[]): T[]
}

/** May also write: one transaction, with its frozen `now` (ISO 8601) and ids made of it. */
export interface Writer extends Reader {
  readonly now: string
  /** Answers how many rows changed. */
  run(sql: string, ...params: SqlValue[]): number
  newId(): string
  /** Runs a part of the transaction: what it wrote is undone where it throws. */
  attempt<T>(run: () => T): T
  /** Tells who listens to `topic` (`Store.listen`), when this is on the disk. */
  announce(topic: string): void
  /** The same transaction, in a workspace. */
  inWorkspace(id: number): Writer
  /** The same transaction, above the workspaces: companies, users, keys, plans. What is remembered of them is read again. */
  readonly access: Writer
}

/** A transaction's function must have returned when it commits: a promise is refused by the type. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T
