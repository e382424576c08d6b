import { movedCompany } from '../store/company-file.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** The key of this installation for authenticating cursors. */
export function readCursorSecret(reader: Reader): string {
  return reader.value<string>("SELECT value FROM setting WHERE name = 'cursor_secret'")!
}

/** The letters with which new keys of this cell begin (decision A14); empty: it has none. */
export function readCell(reader: Reader): string {
  return readSetting(reader, 'cell') ?? ''
}

export function storeCell(tx: Writer, cell: string): void {
  storeSetting(tx, 'cell', cell)
}

/** The company of a file in which it moves to another cell. */
export function readMovedCompany(reader: Reader): string | undefined {
  return readSetting(reader, movedCompany)
}

export function storeMovedCompany(tx: Writer, companyId: string): void {
  storeSetting(tx, movedCompany, companyId)
}

/** A number that is at least that of each workspace that has been removed. */
export function readRemovedWorkspace(reader: Reader): number {
  return Number(readSetting(reader, removedName) ?? 0)
}

export function storeRemovedWorkspace(tx: Writer, id: number): void {
  storeSetting(tx, removedName, String(id))
}

const removedName = 'removed_workspace'

/** The id of the request that added the sample data that a workspace has; undefined: it has none. */
export function lookupSampleRequest(reader: Reader, workspaceId: number): string | undefined {
  return readSetting(reader, sampleName(workspaceId))
}

/** Remembers the request that added a workspace's sample data. `null` forgets it. */
export function storeSampleRequest(tx: Writer, workspaceId: number, requestId: string | null): void {
  storeSetting(tx, sampleName(workspaceId), requestId)
}

function sampleName(workspaceId: number): string {
  return `sample_data ${workspaceId}`
}

/** The message of a mailbox that fails, and how often it did, as its reader writes it. */
export function lookupFailingMail(reader: Reader, sourceId: string): string | undefined {
  return readSetting(reader, failingName(sourceId))
}

/** `null` forgets it. */
export function storeFailingMail(tx: Writer, sourceId: string, text: string | null): void {
  storeSetting(tx, failingName(sourceId), text)
}

function failingName(sourceId: string): string {
  return failingMail + sourceId
}

/** The prefix of the names of these settings. */
export const failingMail = 'failing_mail '

/** Notes a batch of usage as the latest of a node. Returns false if it was so already. */
export function isNewBatch(tx: Writer, node: string, id: string): boolean {
  const name = `usage_batch ${node}`
  if (readSetting(tx, name) === id) return false
  storeSetting(tx, name, id)
  return true
}

function readSetting(reader: Reader, name: string): string | undefined {
  return reader.value<string>('SELECT value FROM setting WHERE name = ?', name)
}

function storeSetting(tx: Writer, name: string, value: string | null): void {
  tx.run('DELETE FROM setting WHERE name = ?', name)
  if (value !== null) tx.run('INSERT INTO setting VALUES (?, ?)', name, value)
}
