import { type Contents, nameOf, type Place } from '../../content/contents.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'

// Who relies on content. An upload claims its content before it is stored, until its record refers to it. Content is removed only while no
// record and no claim names it, and it cannot be claimed until it is gone (decision O3).

/** Claims content for an upload. Throws SERVICE_UNAVAILABLE while it is being removed. */
export function claim(tx: Writer, sha256: string, id: string): void {
  const sql = 'SELECT 1 FROM content_removal WHERE workspace_id = :workspace AND sha256 = ?'
  if (tx.value(sql, sha256) !== undefined) throw mayBeGone('The same content is being removed: try again in a second')
  tx.run('INSERT INTO content_claim (workspace_id, sha256, id) VALUES (:workspace, ?, ?)', sha256, id)
}

/** Ends a claim, with the record that refers to its content. Throws SERVICE_UNAVAILABLE if others have ended it: the content may be gone. */
export function useClaim(tx: Writer, sha256: string, id: string): void {
  if (endClaim(tx, sha256, id) === 0) throw mayBeGone('The content may have been removed meanwhile: send it again')
}

/** Returns how many claims it ends. */
export function endClaim(tx: Writer, sha256: string, id: string): number {
  return tx.run('DELETE FROM content_claim WHERE workspace_id = :workspace AND sha256 = ? AND id = ?', sha256, id)
}

function mayBeGone(message: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '1' } })
}

/** Ends the claims of uploads that ended with their process. Only for the one process that accepts uploads. */
export function endAllClaims(access: Writer): void {
  for (const id of access.values<number>('SELECT id FROM workspace')) {
    access.inWorkspace(id).run('DELETE FROM content_claim WHERE workspace_id = :workspace')
  }
}

/**
 * Marks content for removal unless a record other than `except`, also of the trash, or an upload relies on it. Returns whether this has marked it:
 * what was marked before is removed by others.
 */
export function markUnused(tx: Writer, sha256: string, except = ''): boolean {
  if (isUsed(tx, sha256, except)) return false
  return tx.run('INSERT OR IGNORE INTO content_removal (workspace_id, sha256) VALUES (:workspace, ?)', sha256) > 0
}

export function isUsed(reader: Reader, sha256: string, except = ''): boolean {
  const record = 'SELECT 1 FROM main.file WHERE workspace_id = :workspace AND sha256 = ? AND id <> ? LIMIT 1'
  const original =
    'SELECT 1 FROM main.message WHERE workspace_id = :workspace AND original_sha256 = ? AND id <> ? LIMIT 1'
  const claimed = 'SELECT 1 FROM content_claim WHERE workspace_id = :workspace AND sha256 = ? LIMIT 1'
  return (
    [record, original].some((sql) => reader.value(sql, sha256, except) !== undefined) ||
    reader.value(claimed, sha256) !== undefined
  )
}

/** Where content is removed. */
export interface Removing {
  readonly contents: Contents
  readonly workspaceId: number
  readonly reader: Reader
  /** Runs a transaction in the workspace. */
  readonly write: (run: (tx: Writer) => void) => Promise<unknown>
}

/**
 * Removes the content of a workspace that is marked, on disk, and then its marks; with `only`, of this name. Throws SERVICE_UNAVAILABLE; it then
 * stays marked.
 */
export async function removeMarked(
  { contents, workspaceId, reader, write }: Removing,
  only: string | null = null,
): Promise<void> {
  const sql = 'SELECT sha256 FROM content_removal WHERE workspace_id = :workspace AND sha256 = coalesce(?, sha256)'
  const committed = new Set(reader.values<string>(sql, only))
  if (committed.size === 0) return
  await write(() => {}) // it ends when they are on disk, too
  const marked = reader.values<string>(sql, only).filter((sha256) => committed.has(sha256)) // others remove them, too
  const places = new Map(marked.map((sha256) => [nameOf({ workspaceId, sha256 }), { workspaceId, sha256 }]))
  await contents.removals.run([...places.keys()], async (names) => {
    if (names.length === 0) return
    const removed = names.map((name) => places.get(name)!)
    for (const place of removed) await contents.remove(place)
    const unmark =
      'DELETE FROM content_removal WHERE workspace_id = :workspace AND sha256 IN (SELECT value FROM json_each(?))'
    await write((tx) => tx.run(unmark, JSON.stringify(removed.map(({ sha256 }) => sha256))))
  })
}

/** Content that waits for its removal, of all workspaces. */
export function listMarked(access: Reader): Place[] {
  return access.rows<Place>(
    'SELECT workspace_id AS workspaceId, sha256 FROM workspace JOIN content_removal ON workspace_id = workspace.id',
  )
}
