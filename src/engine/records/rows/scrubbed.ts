import type { Writer } from '../../../store/reader.ts'

/** What `search_pending` calls records of which the search index may have texts that were erased, although the records stay. */
export function scrubbedName(resource: string): string {
  return `${resource} scrubbed`
}

/** Notes that the search index must forget the former texts of a record (decision G11). */
export function noteScrubbed(tx: Writer, resource: string, id: string): void {
  const sql = 'INSERT OR IGNORE INTO search_pending (workspace_id, resource, id) VALUES (:workspace, ?, ?)'
  tx.run(sql, scrubbedName(resource), id)
}
