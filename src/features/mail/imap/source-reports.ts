import { noteRow } from '../../../engine/records/rows/rows.ts'
import { minuteMs } from '../../../lib/clock.ts'
import type { Writer } from '../../../store/reader.ts'
import type { Store } from '../../../store/store.ts'
import type { Source } from './listed-sources.ts'
import { mailSource } from './mail-source.ts'

/** While a mailbox is read, its last success is stored this often. */
const successEveryMs = 15 * minuteMs

export const passwordMissing = 'The password cannot be decrypted: set it again'

/** Stores that the mailbox was read, unless a moment ago. */
export async function noteSuccess(store: Store, source: Source): Promise<void> {
  const sql = 'SELECT last_success_at AS at, last_error FROM mail_source WHERE workspace_id = :workspace AND id = ?'
  const stored = store
    .workspace(source.workspaceId)
    .row<{ at: string | null; last_error: string | null }>(sql, source.id)
  if (!stored) return
  if (stored.at !== null && stored.last_error === null && Date.parse(stored.at) > store.clock.now() - successEveryMs)
    return
  await store.write(source.workspaceId, (tx) => {
    noteRow(mailSource, tx, source.id, { last_success_at: tx.now, last_error: null, last_error_at: null })
  })
}

/** Says of the mailboxes of a copy of a workspace, which has no passwords, that they need them. */
export function notePasswordsMissing(tx: Writer): void {
  const ids = tx.values<string>('SELECT id FROM mail_source WHERE workspace_id = :workspace AND deleted_at IS NULL')
  for (const id of ids) noteRow(mailSource, tx, id, { last_error: passwordMissing, last_error_at: tx.now })
}

/** Stores why the mailbox cannot be read. */
export async function noteFailure(store: Store, source: Source, message: string): Promise<void> {
  await store.write(source.workspaceId, (tx) => {
    noteRow(mailSource, tx, source.id, { last_error: message, last_error_at: tx.now })
  })
}
