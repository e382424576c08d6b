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
  /** The same transaction, in a workspace. */
  inWorkspace(id: number): Writer
  /** The same transaction, above the workspaces: companies, users, keys, plans. What is remembered of them is read again. */
  readonly access: Writer
}
