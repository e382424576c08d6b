import { setTimeout as delay } from 'node:timers/promises'
import { environments, findWorkspaceId, removeCompanyRow } from '../../access/company.ts'
import { storeSampleRequest } from '../../access/setting.ts'
import { storeLogId } from '../../changes/log-name.ts'
import { storeMove } from '../../store/company-move.ts'
import {
  type CompanyTable,
  listCompanyTables,
  listed,
  ownRows,
  progressTables,
  tableOf,
} from '../../store/company-tables.ts'
import type { Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'

/** The number of rows that a transaction adds or removes, so that other writes do not wait for long. */
export const rowsMax = 500
/** The pause in milliseconds after each transaction, for other writers. */
export const pauseMs = 5

/** Tables with rows of several companies, and those that are removed last. */
const kept = new Set(['plan', 'change_term', 'workspace', 'company'])

/** Removes a company that is not served here, in parts. What is interrupted can be repeated. */
export async function removeCompany(store: Store, companyId: string): Promise<void> {
  const pending = progressTables.map((name) => tableOf(store.access, name))
  for (const table of [...pending, ...listCompanyTables(store.access).reverse()]) {
    if (kept.has(table.name)) continue
    while ((await store.writeAccess((tx) => removeRows(tx, table, companyId))) === rowsMax) await delay(pauseMs)
  }
  await store.writeAccess((tx) => removeRest(tx, companyId))
}

/** Returns how many rows it has removed. */
function removeRows(tx: Writer, table: CompanyTable, companyId: string): number {
  const key = listed(table.key)
  const own = `SELECT ${key} FROM main."${table.name}" WHERE ${ownRows(table, 'main')} LIMIT ${rowsMax}`
  return tx.run(`DELETE FROM main."${table.name}" WHERE (${key}) IN (${own})`, companyId)
}

function removeRest(tx: Writer, companyId: string): void {
  for (const environment of environments) {
    const id = findWorkspaceId(tx, companyId, environment)
    storeLogId(tx, id, null)
    storeSampleRequest(tx, id, null)
  }
  removeCompanyRow(tx, companyId)
  storeMove(tx, companyId, undefined)
}
