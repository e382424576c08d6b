import { exactText, parseJson } from '../../engine/records/kinds/exact-numbers.ts'
import { findText } from '../../engine/records/select.ts'
import { ApiError } from '../../errors.ts'
import { dayMs, timestamp } from '../../lib/clock.ts'
import { parseExact } from '../../lib/exact-json.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import type { RecordChange } from './changes.ts'
import { proposal, proposalStatuses } from './proposal.ts'
import type { Changes, ProposedRequest } from './trial.ts'

export interface NewProposal extends Changes {
  keyId: string
  client: string | null
  tool: string
  request: ProposedRequest
}

/** A proposal that no user has decided about. */
export interface OpenProposal {
  client: string | null
  tool: string
  request: ProposedRequest
  changes: RecordChange[]
  start: string
}

/** The maximum number of open proposals in a workspace. */
const openMax = 1_000
const decidedKeptMs = 30 * dayMs
const removedPerWrite = 100

/** Returns the id. Throws CONFLICT if too many are open. */
export function insertProposal(tx: Writer, given: NewProposal): string {
  removeOld(tx)
  const open = 'SELECT count(*) FROM proposal WHERE workspace_id = :workspace AND status_key = 0 AND deleted_at IS NULL'
  if (tx.value<number>(open)! >= openMax) {
    throw new ApiError(
      'CONFLICT',
      `There are ${openMax} open proposals: ask a user to apply or reject them in the console`,
    )
  }
  const { keyId, client, tool, request, changes, total, start } = given
  const id = tx.newId()
  const sql = `INSERT INTO proposal (workspace_id, id, key_id, client, tool, request, changes, changes_total, start, status, status_key, created_at)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?, ?, ?, 'open', 0, ?)`
  tx.run(sql, id, keyId, client, tool, exactText(request), JSON.stringify(changes), total, start, tx.now)
  return id
}

/** Removes some of those that were decided about long ago. */
function removeOld(tx: Writer): void {
  const sql = `DELETE FROM proposal WHERE workspace_id = :workspace AND id IN (
    SELECT id FROM proposal WHERE workspace_id = :workspace AND deleted_at IS NULL AND status_key > 0 AND decided_at < ? LIMIT ?)`
  tx.run(sql, timestamp(Date.parse(tx.now) - decidedKeptMs), removedPerWrite)
}

/** Throws NOT_FOUND, CONFLICT if a user has decided. */
export function findOpen(reader: Reader, id: string): OpenProposal {
  const sql =
    'SELECT client, tool, request, changes, start, status FROM proposal WHERE workspace_id = :workspace AND id = ?'
  const stored = reader.row<{
    client: string | null
    tool: string
    request: string | null
    changes: string
    start: string
    status: string
  }>(sql, id)
  if (!stored) throw new ApiError('NOT_FOUND', 'Proposal not found')
  const { request, changes, status, ...rest } = stored
  if (request === null) throw new ApiError('CONFLICT', `The proposal has already been ${status}`)
  return { ...rest, request: parseJson(request) as ProposedRequest, changes: parseExact(changes) as RecordChange[] }
}

/** Notes the decision of a user, and removes what the proposal contains: the log has what was applied. Throws as `findOpen`. */
export function decide(tx: Writer, id: string, status: 'applied' | 'rejected', userId: string): string {
  findOpen(tx, id)
  const sql = `UPDATE proposal SET request = NULL, changes = '[]', start = NULL, status = ?, status_key = ?, decided_by = ?, decided_at = ?, request_id = ?
    WHERE workspace_id = :workspace AND id = ?`
  const requestId = status === 'applied' ? tx.origin.requestId! : null
  tx.run(sql, status, proposalStatuses.indexOf(status), userId, tx.now, requestId, id)
  return findText(proposal, tx, id)
}

/** Removes the open proposals that mention a record, which is erased. */
export function forgetProposed(tx: Writer, recordId: string): void {
  const sql = `DELETE FROM proposal INDEXED BY proposal_status WHERE workspace_id = :workspace AND status_key = 0 AND deleted_at IS NULL
    AND (instr(lower(request), ?) > 0 OR instr(changes, ?) > 0)`
  tx.run(sql, recordId, recordId)
}
