import { OperatorError } from '../errors.ts'
import type { Connection } from './open.ts'

/** The setting that only a file of `kontor company export` has: the id of its company. */
export const movedCompany = 'moved_company'

/** Throws OperatorError for a file of `kontor company export`, which is no database of a server. */
export function refuseCompanyFile(db: Connection, file: string): void {
  const hasSettings = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'setting'").get()
  if (!hasSettings || !db.prepare('SELECT 1 FROM setting WHERE name = ?').get(movedCompany)) return
  const remedy = 'add it to the data directory of a server with "kontor company import"'
  throw new OperatorError(
    `${file} is one company that "kontor company export" has written, not the database of a server: ${remedy}.`,
  )
}
