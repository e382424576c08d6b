import { readMovedCompany } from '../../access/setting.ts'
import { OperatorError } from '../../errors.ts'
import { findDamage } from '../../store/check.ts'
import { openExisting } from '../../store/copy.ts'
import { isCurrent } from '../../store/migrate.ts'
import type { Connection } from '../../store/open.ts'
import type { Reader } from '../../store/reader.ts'
import { Statements, WorkspaceReader } from '../../store/statements.ts'
import { schema } from '../open-store.ts'

/** A file that `kontor company export` has written. */
export interface CompanyFile {
  access: Reader
  companyId: string
  /** The rows of a table, in parts. */
  parts(table: string, columns: string, rowsMax: number): Iterable<unknown[][]>
  close(): void
}

/** Throws OperatorError for any other file, and for one of another version. */
export function openCompanyFile(path: string): CompanyFile {
  const db = openExisting(path)
  try {
    const access = new WorkspaceReader(new Statements(db, () => {}), undefined)
    if (!isCurrent(db, schema.steps, path)) {
      throw new OperatorError(
        `${path} was written by an older Kontor: export it with the version that is running here.`,
      )
    }
    const companyId = readMovedCompany(access)
    if (companyId === undefined) {
      throw new OperatorError(`${path} is not a company that "kontor company export" has written.`)
    }
    const [damage] = findDamage(db, schema)
    if (damage) throw new OperatorError(`${path} is damaged: ${damage}.`)
    return { access, companyId, parts: (...args) => partsOf(db, ...args), close: () => db.close() }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Integers are read as such, so that they are stored as they were. */
function* partsOf(db: Connection, table: string, columns: string, rowsMax: number): Iterable<unknown[][]> {
  const statement = db.prepare(`SELECT ${columns} FROM "${table}"`).raw().safeIntegers()
  let part: unknown[][] = []
  for (const row of statement.iterate() as Iterable<unknown[]>) {
    part.push(row)
    if (part.length < rowsMax) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
