import type { Reader, Writer } from '../store/reader.ts'

const expiredPerWrite = 100

export interface IdempotencyName {
  /** The id of the API key. */
  keyId: string
  idempotencyKey: string
}

interface StoredResponse {
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
  const sql = `INSERT INTO idempotent_answer (workspace_id, api_key_id, key, request, answer, created_at)
    VALUES (:workspace, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET request = excluded.request, answer = excluded.answer, created_at = excluded.created_at`
  tx.run(sql, keyId, idempotencyKey, request, response, tx.now)
}

/**
 * Overwrites the workspace's responses, because any of them may show a record that is erased: they are encrypted, and a record is also shown
 * by those that refer to it. The requests stay known, so none is processed again.
 */
export function eraseStored(tx: Writer): void {
  tx.run("UPDATE idempotent_answer SET answer = '' WHERE workspace_id = :workspace")
}

/** Removes some of the workspace's responses that were stored at or before `until`, a timestamp. */
export function removeStored(tx: Writer, until: string): void {
  const sql = `DELETE FROM idempotent_answer WHERE workspace_id = :workspace AND (api_key_id, key) IN (
    SELECT api_key_id, key FROM idempotent_answer WHERE workspace_id = :workspace AND created_at <= ?
    ORDER BY created_at LIMIT ?)`
  tx.run(sql, until, expiredPerWrite)
}
