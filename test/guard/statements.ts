import type { Connection } from '../../src/store/open.ts'

/** Notes the statements that a server prepares, while it is on. Those of threads are on other connections. */
export class StatementWatch {
  isOn = true
  readonly statements: string[] = []
  #db: Connection | undefined

  /** The server's connection. */
  get db(): Connection {
    return this.#db!
  }

  /** For the options of a server's start. */
  prepare = (db: Connection): void => {
    this.#db = db
    const prepare = db.prepare.bind(db)
    db.prepare = ((sql: string) => {
      if (this.isOn) this.statements.push(sql)
      return prepare(sql)
    }) as typeof db.prepare
  }
}

/** The steps of SQLite's plan for a statement. `value`: what each `?` of it is. */
export function planOf(db: Connection, sql: string, value: string | null): string[] {
  const marks = [...sql.replace(/'[^']*'/g, '').matchAll(/\?/g)].map(() => value)
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...marks, { workspace: 1 }) as { detail: string }[]
  return steps.map(({ detail }) => detail)
}
