import { setTimeout as delay } from 'node:timers/promises'
import { type Company, environments, findCompany, findWorkspaceId, insertWorkspace } from '../../access/company.ts'
import { lookupSampleRequest, storeSampleRequest } from '../../access/setting.ts'
import { logIdOf, storeLogId } from '../../changes/log-name.ts'
import { OperatorError } from '../../errors.ts'
import { lookupMove, storeMove } from '../../store/company-move.ts'
import { type CompanyTable, countTables, listCompanyTables, listed, ownRows } from '../../store/company-tables.ts'
import type { Move } from '../../store/move-state.ts'
import type { SqlParam, Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import { reencryptCopied } from '../../webhooks/copied.ts'
import type { CompanyFile } from './company-file.ts'
import { pauseMs, removeCompany, rowsMax } from './remove-company.ts'

/** Tables whose rows are here already, or are made at the beginning or at the end. */
const made = new Set(['plan', 'company', 'workspace', 'change_term', ...countTables])

/** Numbers of this database, by those of the file. */
interface Numbers {
  workspaces: ReadonlyMap<bigint, number>
  terms: ReadonlyMap<bigint, number>
}

/**
 * Adds the company of a file, in parts between which a server can write; it is served from the last one on. An import that was interrupted
 * begins again. Throws OperatorError if the company is here already.
 */
export async function importCompany(store: Store, file: CompanyFile, by: string): Promise<Company> {
  const { companyId } = file
  if (lookupMove(store.access, companyId)?.state === 'arriving') await removeCompany(store, companyId)
  const move: Move = { state: 'arriving', by }
  const numbers = await store.writeAccess((tx) => begin(tx, file, move))
  const tables = listCompanyTables(store.access).filter(({ name }) => !made.has(name))
  for (const table of tables) {
    for (const rows of file.parts(table.name, listed(table.columns), rowsMax)) {
      await store.writeAccess((tx) => {
        requireOwn(tx, companyId, move)
        insertRows(tx, table, rows, numbers)
      })
      await delay(pauseMs)
    }
  }
  return store.writeAccess((tx) => {
    requireOwn(tx, companyId, move)
    insertCounts(tx, file, numbers)
    end(tx, file)
    return findCompany(tx, companyId)
  })
}

function begin(tx: Writer, { access, companyId }: CompanyFile, move: Move): Numbers {
  const [company] = access.rows<Record<string, SqlParam>>('SELECT * FROM company WHERE id = ?', companyId)
  if (tx.value('SELECT 1 FROM company WHERE id = ?', companyId) !== undefined) {
    throw new OperatorError(`The company ${companyId} is here already.`)
  }
  if (tx.value('SELECT 1 FROM plan WHERE name = ?', company!.plan!) === undefined) {
    throw new OperatorError(`There is no plan ${company!.plan} here.`)
  }
  storeMove(tx, companyId, move)
  const names = Object.keys(company!)
  const values = Object.values(company!)
  tx.run(`INSERT INTO company (${listed(names)}) VALUES (${names.map(() => '?')})`, ...values)
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

/** Another import, or the removal of this company, has taken its place. */
function requireOwn(tx: Writer, companyId: string, move: Move): void {
  if (JSON.stringify(lookupMove(tx, companyId)) === JSON.stringify(move)) return
  throw new OperatorError('Another command imports or removes this company.')
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

/** In place of what the triggers have counted, also of deleted rows. */
function insertCounts(tx: Writer, { companyId, parts }: CompanyFile, numbers: Numbers): void {
  for (const table of listCompanyTables(tx).filter(({ name }) => countTables.includes(name))) {
    tx.run(`DELETE FROM main."${table.name}" WHERE ${ownRows(table, 'main')}`, companyId)
    for (const rows of parts(table.name, listed(table.columns), rowsMax)) insertRows(tx, table, rows, numbers)
  }
}

/** From this commit on, the company is served here. */
function end(tx: Writer, { access, companyId }: CompanyFile): void {
  for (const environment of environments) {
    const [from, to] = [access, tx].map((reader) => findWorkspaceId(reader, companyId, environment)) as [number, number]
    storeLogId(tx, to, logIdOf(access, from))
    storeSampleRequest(tx, to, lookupSampleRequest(access, from) ?? null)
    reencryptCopied(tx.inWorkspace(to), access)
  }
  storeMove(tx, companyId, undefined)
}
