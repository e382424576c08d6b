import type { Statement } from 'better-sqlite3'
import type { Connection } from '../../src/store/open.ts'

/** Hands each statement that a connection prepares to `change`, if its SQL begins so. */
export function onPrepared(db: Connection, begin: string, change: (statement: Statement<unknown[]>) => void): void {
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    const statement = prepare(sql)
    if (sql.startsWith(begin)) change(statement as Statement<unknown[]>)
    return statement
  }) as typeof db.prepare
}
