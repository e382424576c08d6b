import { readMovedCompany } from '../../access/setting.ts'
import { OperatorError } from '../../errors.ts'
import { findDamage } from '../../store/check.ts'
import { listed, ownRows, tableOf } from '../../store/company-tables.ts'
import { isCurrent, requireOurs } from '../../store/migrate.ts'
import { type Connection, openForeign } from '../../store/open.ts'
import type { Reader } from '../../store/reader.ts'
import { findDifferences } from '../../store/shape.ts'
import { Statements, WorkspaceReader } from '../../store/statements.ts'
import { schema } from '../open-store.ts'
import type { Unverified } from './unverified.ts'
import { verifyAmounts } from './verify-amounts.ts'
import { verifyContent } from './verify-content.ts'
import { verifyOwner } from './verify-owner.ts'
import { verifySettings } from './verify-settings.ts'
import { verifyValues } from './verify-values.ts'

/** A file that `kontor company export` has written. */
export interface CompanyFile {
  access: Reader
  companyId: string
  /** The rows of a table, in parts. */
  parts(table: string, rowsMax: number): Iterable<unknown[][]>
  close(): void
}

/**
 * Opens a file of which nothing is believed: whoever sent it could have changed anything in it. Nothing that it defines is run, and it holds one
 * company with rows that Kontor could have written. Throws OperatorError for any other file, and for one of another version.
 */
export async function openCompanyFile(path: string): Promise<CompanyFile> {
  const db = openForeign(path)
  try {
    requireDefinitions(db, path)
    const statements = new Statements(db, () => {})
    const access = new WorkspaceReader(statements, undefined)
    const companyId = readMovedCompany(access)
    if (companyId === undefined) throw notWritten(path)
    const inWorkspace = (id: number) => new WorkspaceReader(statements, id)
    await requireSound(db, path, { access, inWorkspace, companyId })
    const parts = (table: string, rowsMax: number) => partsOf(db, { table, companyId, access, rowsMax })
    return { access, companyId, parts, close: () => db.close() }
  } catch (error) {
    db.close()
    throw error
  }
}

function requireDefinitions(db: Connection, path: string): void {
  requireOurs(db, path, schema.steps)
  if (!isCurrent(db, schema.steps, path)) {
    throw new OperatorError(`${path} was written by an older Kontor: export it with the version that is running here.`)
  }
  const [difference] = findDifferences(db, schema)
  if (difference) throw notWritten(path, difference)
}

/** The owner of each row comes first: what follows reads only rows of the company. */
async function requireSound(db: Connection, path: string, file: Unverified): Promise<void> {
  try {
    for (const verify of [verifyOwner, verifyValues, verifyAmounts]) {
      for (const finding of verify(file)) throw notWritten(path, finding)
    }
    for (const finding of findDamage(db, schema))
      throw new OperatorError(`${path} is damaged: ${finding}. Nothing was imported.`)
    for await (const finding of verifySettings(file)) throw notWritten(path, finding)
    for (const finding of verifyContent(file)) throw notWritten(path, finding)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    // A value that a check cannot work with is not Kontor's either.
    throw new OperatorError(`${path} is damaged: ${(error as Error).message}. Nothing was imported.`, { cause: error })
  }
}

function notWritten(path: string, finding?: string): OperatorError {
  const what = `${path} is not a company that "kontor company export" has written`
  return new OperatorError(finding === undefined ? `${what}.` : `${what}: ${finding}. Nothing was imported.`)
}

interface Parts {
  table: string
  companyId: string
  access: Reader
  rowsMax: number
}

/** Integers are read as such, so that they are stored as they were. */
function* partsOf(db: Connection, { table, companyId, access, rowsMax }: Parts): Iterable<unknown[][]> {
  const own = tableOf(access, table)
  const sql = `SELECT ${listed(own.columns)} FROM main."${table}" WHERE ${ownRows(own, 'main')}`
  let part: unknown[][] = []
  for (const row of db.prepare(sql).raw().safeIntegers().iterate(companyId) as Iterable<unknown[]>) {
    part.push(row)
    if (part.length < rowsMax) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
