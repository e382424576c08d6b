import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { environments, findWorkspaceId, removeCompanyRow } from '../../access/company.ts'
import { storeSampleRequest } from '../../access/setting.ts'
import { storeLogId } from '../../changes/log-name.ts'
import {
  haveFewPieces,
  listEntries,
  markRemoved,
  mergeSome,
  piecesSql,
  removeEntries,
} from '../../engine/finding/list/search-erasure.ts'
import { OperatorError } from '../../errors.ts'
import { reserveRemoved } from '../../features/mail/former-addresses.ts'
import { forgetGone } from '../../features/mail/imap/source-state.ts'
import { lookupMove, storeMove } from '../../store/company-move.ts'
import {
  type CompanyTable,
  listCompanyTables,
  listed,
  ownRows,
  progressTables,
  tableOf,
} from '../../store/company-tables.ts'
import { noteErasure } from '../../store/erasures.ts'
import type { Move } from '../../store/move-state.ts'
import type { Reader, Run, Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'

/** The number of rows that a transaction adds, so that other writes do not wait for long. */
export const rowsMax = 500
/** The same for rows that it removes, each from all indexes. */
const removedMax = 200
/** The number of pieces in the search index that are marked before it is merged: one transaction removes all of them, in some 10 ms. */
const markedMax = 200_000
/** The shortest pause in milliseconds after each transaction. */
const pauseMsMin = 5

/** Tables with rows of several companies, and those that are removed last. */
const kept = new Set(['plan', 'change_term', 'workspace', 'company'])

/** Removes the content of workspaces. */
export type RemoveContent = (workspaceIds: readonly number[]) => Promise<void>

/**
 * Removes a company in parts, if it `isRemovable`: its content, which `removeContent` does, and its rows. What is interrupted can only be
 * repeated. Returns whether the company was removed. Throws OperatorError if another command takes over.
 */
export async function removeCompany(
  store: Store,
  companyId: string,
  isRemovable: (move: Move | undefined) => boolean,
  removeContent: RemoveContent,
): Promise<boolean> {
  const begun = await store.writeAccess((tx) => {
    const move = lookupMove(tx, companyId)
    return isRemovable(move)
      ? { removal: begin(tx, companyId, move), wasInterrupted: move?.state === 'removing' }
      : undefined
  })
  if (!begun) return false
  const { removal, wasInterrupted } = begun
  const workspaceIds = environments.map((environment) => findWorkspaceId(store.access, companyId, environment))
  await removeContent(workspaceIds)
  const pending = progressTables.map((name) => tableOf(store.access, name))
  for (const table of [...pending, ...listCompanyTables(store.access).reverse()]) {
    if (kept.has(table.name)) continue
    const remove = (tx: Writer) => removeRows(tx, table, companyId, removal)
    while ((await writePart(store, remove)) === removedMax);
  }
  await removeFromSearch(store, workspaceIds, wasInterrupted, (tx) => requireOwn(tx, companyId, removal))
  await store.writeAccess((tx) => removeRest(tx, companyId, removal))
  return true
}

/** Writes a part, and then leaves as much time to other writers, and to the server's checkpoints, which the log would outgrow. */
export async function writePart<T>(store: Store, run: Run<T>): Promise<T> {
  const begin = performance.now()
  const result = await store.writeAccess(run)
  await delay(Math.max(pauseMsMin, performance.now() - begin))
  return result
}

/** Throws OperatorError if another import, or another removal of this company, has taken the place of this one. */
export function requireOwn(access: Reader, companyId: string, move: Move): void {
  if (!isOwn(lookupMove(access, companyId), move)) {
    throw new OperatorError('Another command imports or removes this company.')
  }
}

export function isOwn(found: Move | undefined, move: Move): boolean {
  return JSON.stringify(found) === JSON.stringify(move)
}

/** Callers are still told where it has moved. */
function begin(tx: Writer, companyId: string, before: Move | undefined): Move {
  const to = before && 'to' in before && { to: before.to! }
  const removal: Move = { state: 'removing', by: randomUUID(), ...to }
  storeMove(tx, companyId, removal)
  return removal
}

/**
 * Nothing enters what is gone. The index finds no entry by its workspace, so what stayed would stay for ever. `wasInterrupted`: an earlier removal
 * may have marked entries, which cannot be found any more, and not merged the index.
 */
async function removeFromSearch(
  store: Store,
  workspaceIds: readonly number[],
  wasInterrupted: boolean,
  check: (tx: Writer) => void,
): Promise<void> {
  await store.writeAccess((tx) => void tx.run(piecesSql))
  const areFew = haveFewPieces(workspaceIds.map((id) => store.workspace(id)))
  let marked = 0
  for (const id of workspaceIds) {
    for (const entries of listEntries(store.workspace(id))) {
      await writePart(store, (tx) => {
        check(tx)
        if (areFew) removeEntries(tx, entries)
        else markRemoved(tx, entries)
      })
      if (areFew) continue
      for (const { pieces } of entries) marked += pieces.split(' ').length
      if (marked < markedMax) continue
      await mergeSearch(store, check)
      marked = 0
    }
  }
  if (marked > 0 || wasInterrupted) await mergeSearch(store, check)
}

/** A second time, because the first one may only have finished what was being merged before. */
async function mergeSearch(store: Store, check: (tx: Writer) => void): Promise<void> {
  const merge = (begins: boolean) => (tx: Writer) => {
    check(tx)
    return mergeSome(tx, begins)
  }
  for (let time = 0; time < 2 && (await writePart(store, merge(true))); time++) {
    while (await writePart(store, merge(false)));
  }
}

/** Returns how many rows it has removed. */
function removeRows(tx: Writer, table: CompanyTable, companyId: string, removal: Move): number {
  requireOwn(tx, companyId, removal)
  const key = listed(table.key)
  const own = `SELECT ${key} FROM main."${table.name}" WHERE ${ownRows(table, 'main')} LIMIT ${removedMax}`
  if (table.name === 'mail_address' && 'to' in removal) reserveRemoved(tx, companyId, own)
  return tx.run(`DELETE FROM main."${table.name}" WHERE (${key}) IN (${own})`, companyId)
}

function removeRest(tx: Writer, companyId: string, removal: Move): void {
  requireOwn(tx, companyId, removal)
  for (const environment of environments) {
    const id = findWorkspaceId(tx, companyId, environment)
    storeLogId(tx, id, null)
    storeSampleRequest(tx, id, null)
  }
  forgetGone(tx)
  removeCompanyRow(tx, companyId)
  noteErasure(tx)
  storeMove(tx, companyId, undefined)
}
