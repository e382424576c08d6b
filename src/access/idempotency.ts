import { packUuid } from '../lib/uuid.ts'
import { packRequestId } from '../store/change-log.ts'
import type { Reader, Writer } from '../store/reader.ts'

const expiredPerWrite = 100

export interface IdempotencyName {
  /** The id of the API key. */
  keyId: string
  idempotencyKey: string
}

export interface StoredResponse {
  /** A hash of the request that the response belongs to. */
  request: string
  /** The encrypted response; empty if a record in it has been erased. */
  response: string
}

/** The response that was stored after `since`, a timestamp. */
export function lookupStored(
  reader: Reader,
  { keyId, idempotencyKey }: IdempotencyName,
  since: string,
): StoredResponse | undefined {
  const sql = `SELECT request, answer AS response FROM idempotent_answer
    WHERE workspace_id = :workspace AND api_key_id = ? AND key = ? AND created_at > ?`
  return reader.row<StoredResponse>(sql, keyId, idempotencyKey, since)
}

export function insertStored(
  tx: Writer,
  { keyId, idempotencyKey }: IdempotencyName,
  { request, response }: StoredResponse,
): void {
  const { requestId } = tx.origin
  const sql = `INSERT INTO idempotent_answer (workspace_id, api_key_id, key, request, answer, created_at, request_id)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET request = excluded.request, answer = excluded.answer, created_at = excluded.created_at,
      request_id = excluded.request_id`
  tx.run(
    sql,
    keyId,
    idempotencyKey,
    request,
    response,
    tx.now,
    requestId === undefined ? null : packRequestId(requestId),
  )
}

/** Overwrites the responses to requests that changed a record. The requests stay known, so that none is processed again. */
export function eraseStored(tx: Writer, recordId: string): void {
  const sql = `UPDATE idempotent_answer SET answer = '' WHERE workspace_id = :workspace
    AND request_id IN (SELECT request_id FROM change WHERE workspace_id = :workspace AND record_id = ?)`
  tx.run(sql, packUuid(recordId))
}

/** Removes some of the workspace's responses that were stored at or before `until`, a timestamp. */
export function removeStored(tx: Writer, until: string): void {
  const sql = `DELETE FROM idempotent_answer WHERE workspace_id = :workspace AND (api_key_id, key) IN (
    SELECT api_key_id, key FROM idempotent_answer WHERE workspace_id = :workspace AND created_at <= ?
    ORDER BY created_at LIMIT ?)`
  tx.run(sql, until, expiredPerWrite)
}
