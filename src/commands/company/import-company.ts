import { type Company, environments, findCompany, findWorkspaceId, insertWorkspace } from '../../access/company.ts'
import { lookupSampleRequest, storeSampleRequest } from '../../access/setting.ts'
import { logIdOf, storeLogId } from '../../changes/log-name.ts'
import { verifyLog } from '../../changes/verify.ts'
import { OperatorError } from '../../errors.ts'
import { loggedResources } from '../../features/index.ts'
import { reencryptPasswords } from '../../features/mail/imap/source-state.ts'
import { reencryptSecrets } from '../../features/webhooks/company-transfer.ts'
import { lookupMove, storeMove } from '../../store/company-move.ts'
import { type CompanyTable, countTables, listCompanyTables, listed, tableOf } from '../../store/company-tables.ts'
import { codeOf } from '../../store/constraint.ts'
import { isPartial, type Move } from '../../store/move-state.ts'
import type { SqlParam, Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import { afterFailure } from '../after-failure.ts'
import type { CompanyFile } from './company-file.ts'
import { isOwn, type RemoveContent, removeCompany, requireOwn, rowsMax, writePart } from './remove-company.ts'
import { requireFree } from './require-free.ts'

/** Tables whose rows are here already, or are made at the beginning or at the end. */
const made = new Set(['plan', 'company', 'workspace', 'change_term', ...countTables])

/** Numbers of this database, by those of the file. */
interface Numbers {
  workspaces: ReadonlyMap<bigint, number>
  terms: ReadonlyMap<bigint, number>
}

/** Where the content of a company's files goes. */
interface ImportedContent {
  /** Copies it. Called when the company has its workspaces here. */
  bring(workspaceOf: (id: number) => number): Promise<void>
  remove: RemoveContent
}

/**
 * Adds the company of a file, in parts between which a server can write; it is served from the last one on. An import that was interrupted
 * begins again, and one that fails is undone. Throws OperatorError if the company, or something else that must be unique, is here already.
 */
export async function importCompany(
  store: Store,
  file: CompanyFile,
  by: string,
  content: ImportedContent,
): Promise<Company> {
  const { companyId } = file
  const removeContent: RemoveContent = (ids) => content.remove(ids).catch(() => {}) // the sweep removes the rest
  await removeCompany(store, companyId, isPartial, removeContent)
  const move: Move = { state: 'arriving', by }
  const tables = listCompanyTables(store.access).filter(({ name }) => !made.has(name))
  const numbers = await store.writeAccess((tx) => begin(tx, file, { move, tables }))
  try {
    for (const table of tables) await insertTable(store, file, { table, move, numbers })
    requireSame(store, [...numbers.workspaces.values()])
    await content.bring((id) => numbers.workspaces.get(BigInt(id))!)
    return await store.writeAccess((tx) => {
      requireOwn(tx, companyId, move)
      end(tx, file)
      return findCompany(tx, companyId)
    })
  } catch (error) {
    const notDone = 'A part of the company is here: "kontor company delete" removes it'
    return afterFailure(describe(error), notDone, async () => {
      if (!isOwn(lookupMove(store.access, companyId), move)) return // it has been imported after all, or again
      await removeContent([...numbers.workspaces.values()]) // first: the disk may be full
      await removeCompany(
        store,
        companyId,
        (found) => isOwn(found, move),
        async () => {},
      )
    })
  }
}

/**
 * Throws OperatorError if the log does not lead to the records as they were imported. SQLite has computed generated columns anew: those of the
 * file may have been forged.
 */
function requireSame(store: Store, workspaceIds: readonly number[]): void {
  for (const id of workspaceIds) {
    for (const finding of verifyLog(loggedResources, store.workspace(id)))
      throw new OperatorError(`The records of the file are not what its log says: ${finding}. Nothing was imported.`)
  }
}

function describe(error: unknown): unknown {
  if (!codeOf(error).startsWith('SQLITE_CONSTRAINT')) return error
  const { message } = error as Error
  return new OperatorError(`The file has a row that cannot be stored (${message}). Nothing was imported.`, {
    cause: error,
  })
}

interface Beginning {
  move: Move
  tables: readonly CompanyTable[]
}

function begin(tx: Writer, file: CompanyFile, { move, tables }: Beginning): Numbers {
  const { access, companyId } = file
  const { columns } = tableOf(tx, 'company')
  const company = access.row<Record<string, SqlParam>>(
    `SELECT ${listed(columns)} FROM company WHERE id = ?`,
    companyId,
  )!
  if (tx.value('SELECT 1 FROM company WHERE id = ?', companyId) !== undefined) {
    throw new OperatorError(`The company ${companyId} is here already.`)
  }
  if (tx.value('SELECT 1 FROM plan WHERE name = ?', company.plan!) === undefined) {
    throw new OperatorError(`There is no plan ${company.plan} here.`)
  }
  requireFree(tx, file, tables)
  storeMove(tx, companyId, move)
  const values = columns.map((name) => company[name]!)
  tx.run(`INSERT INTO company (${listed(columns)}) VALUES (${columns.map(() => '?')})`, ...values)
  const workspaces = environments.map((environment): [bigint, number] => [
    BigInt(findWorkspaceId(access, companyId, environment)),
    insertWorkspace(tx, companyId, environment),
  ])
  const terms = access.rows<{ id: number; text: string }>('SELECT id, text FROM change_term')
  return {
    workspaces: new Map(workspaces),
    terms: new Map(terms.map(({ id, text }) => [BigInt(id), insertTerm(tx, text)])),
  }
}

function insertTerm(tx: Writer, text: string): number {
  tx.run('INSERT OR IGNORE INTO change_term (text) VALUES (?)', text)
  return tx.value<number>('SELECT id FROM change_term WHERE text = ?', text)!
}

interface Insertion {
  table: CompanyTable
  move: Move
  numbers: Numbers
}

async function insertTable(store: Store, file: CompanyFile, { table, move, numbers }: Insertion): Promise<void> {
  for (const rows of file.parts(table.name, rowsMax)) {
    await writePart(store, (tx) => {
      requireOwn(tx, file.companyId, move)
      insertRows(tx, table, rows, numbers)
    })
  }
}

/** Numbers of workspaces and of the log's terms are those of this database. */
function insertRows(tx: Writer, { name, columns }: CompanyTable, rows: unknown[][], numbers: Numbers): void {
  const maps = columns.map((column) => {
    if (column === 'workspace_id') return numbers.workspaces
    return name === 'change' && (column === 'type' || column === 'actor') ? numbers.terms : undefined
  })
  const sql = `INSERT INTO main."${name}" (${listed(columns)}) VALUES (${columns.map(() => '?')})`
  for (const row of rows) {
    const values = row.map((value, at) => (maps[at] ? maps[at].get(value as bigint)! : value))
    tx.run(sql, ...(values as SqlParam[]))
  }
}

interface Total {
  resource: string
  field: string
  value: SqlParam
}

/** Triggers have counted all rows; deleted ones do not count. */
function recount(tx: Writer): void {
  for (const { resource } of tx.rows<Total>('SELECT resource FROM record_count WHERE workspace_id = :workspace')) {
    const count = `SELECT count(*) FROM main."${resource}" WHERE workspace_id = :workspace AND deleted_at IS NULL`
    tx.run(`UPDATE record_count SET records = (${count}) WHERE workspace_id = :workspace AND resource = ?`, resource)
  }
  const totals = 'SELECT resource, field, value FROM value_count WHERE workspace_id = :workspace'
  for (const { resource, field, value } of tx.rows<Total>(totals)) {
    const count = `SELECT count(*) FROM main."${resource}" WHERE workspace_id = :workspace AND "${field}" = ? AND deleted_at IS NULL`
    const sql = `UPDATE value_count SET records = (${count})
      WHERE workspace_id = :workspace AND resource = ? AND field = ? AND value = ?`
    tx.run(sql, value, resource, field, value)
  }
}

/** From this commit on, the company is served here. */
function end(tx: Writer, { access, companyId }: CompanyFile): void {
  for (const environment of environments) {
    const [from, to] = [access, tx].map((reader) => findWorkspaceId(reader, companyId, environment)) as [number, number]
    storeLogId(tx, to, logIdOf(access, from))
    storeSampleRequest(tx, to, lookupSampleRequest(access, from) ?? null)
    reencryptSecrets(tx.inWorkspace(to), access)
    reencryptPasswords(tx.inWorkspace(to), access)
    recount(tx.inWorkspace(to))
  }
  storeMove(tx, companyId, undefined)
}
