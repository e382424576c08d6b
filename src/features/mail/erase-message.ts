import { createHmac } from 'node:crypto'
import { readCursorSecret } from '../../access/setting.ts'
import { file } from '../../crm/file.ts'
import { message } from '../../crm/message.ts'
import { forgetUnmatched } from '../../crm/unmatched.ts'
import { deleteRow, eraseRow, noteRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import type { Writer } from '../../store/reader.ts'
import { markUnused } from '../files/content-names.ts'
import { forgetThreads } from './threads.ts'

interface Stored {
  identity: string | null
  original_sha256: string | null
}

/** Whether the workspace has had a message with this identity, which was erased (decision P4). */
export function wasErased(tx: Writer, identity: string): boolean {
  const sql = 'SELECT 1 FROM erased_message WHERE workspace_id = :workspace AND hash = ?'
  return tx.value(sql, hashOf(tx, identity)) !== undefined
}

/**
 * Removes what is stored of a message outside of its row, which is about to be erased: the content of its original, and its files. Returns the
 * ids of the files.
 */
export function eraseAttached(tx: Writer, id: string): string[] {
  forgetThreads(tx, [id])
  return eraseContent(tx, id)
}

function eraseContent(tx: Writer, id: string): string[] {
  const all = tx.unrestricted
  const sql = 'SELECT identity, original_sha256 FROM main.message WHERE workspace_id = :workspace AND id = ?'
  const stored = all.row<Stored>(sql, id)
  if (!stored) return []
  if (stored.original_sha256 !== null) markUnused(all, stored.original_sha256, id)
  if (stored.identity !== null) {
    all.run('INSERT OR IGNORE INTO erased_message VALUES (:workspace, ?)', hashOf(all, stored.identity))
  }
  forgetUnmatched(all, id)
  const ofMessage =
    "SELECT id, sha256 FROM main.file INDEXED BY file_of_message WHERE workspace_id = :workspace AND message_id = ? AND sha256 <> ''"
  const files = all.rows<{ id: string; sha256: string }>(ofMessage, id)
  for (const { id: fileId, sha256 } of files) {
    const row = lookupRow(file, all, fileId)
    if (row) deleteRow(file, all, fileId, row)
    eraseRow(file, all, fileId)
    markUnused(all, sha256, fileId)
  }
  return files.map(({ id: fileId }) => fileId)
}

/** Erases messages, which need not be in the trash. Returns the ids of all records that are erased. */
export function eraseMessages({ unrestricted: tx }: Writer, ids: readonly string[]): string[] {
  forgetThreads(tx, ids)
  return ids.flatMap((id) => {
    const files = eraseContent(tx, id)
    const row = lookupRow(message, tx, id)
    if (row) deleteRow(message, tx, id, row)
    eraseRow(message, tx, id)
    return [...files, id]
  })
}

/** Removes the original of a message, of which something has been erased. */
export function removeOriginal(tx: Writer, id: string): void {
  const all = tx.unrestricted
  const sql = 'SELECT original_sha256 FROM main.message WHERE workspace_id = :workspace AND id = ?'
  const sha256 = all.value<string | null>(sql, id)
  if (sha256 === undefined || sha256 === null) return
  noteRow(message, all, id, { original_sha256: null, original_bytes: null })
  markUnused(all, sha256, id)
}

/** Removes the original that contains a file which is about to be erased. */
export function removeOriginalOfFile(tx: Writer, fileId: string): void {
  const sql = 'SELECT message_id FROM main.file WHERE workspace_id = :workspace AND id = ?'
  const messageId = tx.value<string | null>(sql, fileId)
  if (messageId) removeOriginal(tx, messageId)
}

/** What tells nothing about the message without the secret of this installation. */
function hashOf(tx: Writer, identity: string): string {
  return createHmac('sha256', readCursorSecret(tx.access)).update(identity).digest('hex')
}
