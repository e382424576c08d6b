import type { Contents } from '../../content/contents.ts'
import { contact } from '../../crm/contact.ts'
import { deal } from '../../crm/deal.ts'
import { file } from '../../crm/file.ts'
import { organization } from '../../crm/organization.ts'
import { task } from '../../crm/task.ts'
import type { Call } from '../../engine/api/call/route.ts'
import { deleteRow, eraseRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { errorFields, log } from '../../lib/log.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { markUnused, type Removing, removeMarked } from './content-names.ts'

const owners = { organization_id: organization, contact_id: contact, deal_id: deal, task_id: task }

/**
 * Marks the content of a file that is about to be erased, or erases the files that belong to another record alone, which is about to be erased.
 * Returns their ids (decision O6).
 */
export function eraseFiles(tx: Writer, recordId: string): string[] {
  const own = tx.value<string>('SELECT sha256 FROM main.file WHERE workspace_id = :workspace AND id = ?', recordId)
  if (own !== undefined) {
    markUnused(tx, own, recordId)
    return []
  }
  const owned = listOwned(tx, recordId)
  for (const { id, sha256 } of owned) {
    const row = lookupRow(file, tx, id)
    if (row) deleteRow(file, tx, id, row)
    eraseRow(file, tx, id)
    markUnused(tx, sha256, id)
  }
  return owned.map(({ id }) => id)
}

/** Files that refer to this record and to no other one, except records that have been erased. */
function listOwned(reader: Reader, recordId: string): { id: string; sha256: string }[] {
  const alone = Object.entries(owners).map(
    ([name, { table }]) => `(${name} IS NULL OR ${name} = given.id OR NOT EXISTS (SELECT 1 FROM ${table} AS owner
      WHERE owner.workspace_id = :workspace AND owner.id = file.${name} AND (owner.deleted_at IS NULL
        OR EXISTS (SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = owner.id))))`,
  )
  const ofOwner = Object.keys(owners).map(
    (name) => `SELECT file.id FROM given CROSS JOIN main.file INDEXED BY file_${name}
      ON workspace_id = :workspace AND ${name} = given.id AND deleted_at IS NULL`,
  )
  const sql = `WITH given (id) AS (VALUES (?)),
    found (id) AS (${ofOwner.join(' UNION ')}
      UNION SELECT id FROM main.trash INDEXED BY trash_type WHERE workspace_id = :workspace AND type = 'file' AND deleted_at IS NULL)
    SELECT file.id, sha256 FROM given CROSS JOIN found CROSS JOIN main.file ON file.workspace_id = :workspace AND file.id = found.id
    WHERE sha256 <> '' AND message_id IS NULL
      AND given.id IN (${Object.keys(owners).join(', ')}) AND ${alone.join(' AND ')}`
  return reader.rows(sql, recordId)
}

/**
 * Removes the content that erasures of a workspace have left, which must be on disk. If that fails, it is tried again in the background.
 * Without contents, as on another thread, it is left to the event loop.
 */
export async function removeErased({
  contents,
  ...place
}: Omit<Removing, 'contents'> & { contents: Contents | undefined }): Promise<void> {
  if (!contents) return
  try {
    await removeMarked({ contents, ...place })
  } catch (error) {
    log('the content of erased files was not removed: it is tried again', errorFields(error), 'error')
  }
}

/** `removeErased` within a request. */
export function removeErasedBy({ contents, reader, release, caller: { workspaceId } }: Call): Promise<void> {
  return removeErased({ contents, workspaceId, reader, write: release })
}
