import { createHmac } from 'node:crypto'
import type { Reader, Writer } from '../store/reader.ts'

const expiredPerWrite = 100
/** How many responses a transaction overwrites while other writes wait. */
const erasedPerWrite = 500

export interface IdempotencyName {
  /** Whose request it is: the id of an API key, or of a user who is signed in. */
  by: 'api_key' | 'user'
  id: string
  idempotencyKey: string
}

interface StoredResponse {
  /** A hash of the request that the response belongs to. */
  request: string
  /** The encrypted response; empty if it is no longer available. */
  response: string
}

const replacing =
  'ON CONFLICT DO UPDATE SET request = excluded.request, answer = excluded.answer, created_at = excluded.created_at'

/** The statements over the responses to requests of keys, and to those of users. */
const statements = {
  api_key: {
    lookup: `SELECT request, answer AS response FROM idempotent_answer
      WHERE workspace_id = :workspace AND api_key_id = ? AND key = ? AND created_at > ?`,
    insert: `INSERT INTO idempotent_answer (workspace_id, api_key_id, key, request, answer, created_at)
      VALUES (:workspace, ?, ?, ?, ?, ?) ${replacing}`,
    remove: `DELETE FROM idempotent_answer WHERE workspace_id = :workspace AND (api_key_id, key) IN (
      SELECT api_key_id, key FROM idempotent_answer WHERE workspace_id = :workspace AND created_at <= ?
      ORDER BY created_at LIMIT ?)`,
    erase: `UPDATE idempotent_answer SET answer = '' WHERE workspace_id = :workspace AND (api_key_id, key) IN (
      SELECT api_key_id, key FROM idempotent_answer WHERE workspace_id = :workspace AND octet_length(answer) > 0 LIMIT ?)`,
  },
  user: {
    lookup: `SELECT request, answer AS response FROM idempotent_user_answer
      WHERE workspace_id = :workspace AND user_id = ? AND key = ? AND created_at > ?`,
    insert: `INSERT INTO idempotent_user_answer (workspace_id, user_id, key, request, answer, created_at)
      VALUES (:workspace, ?, ?, ?, ?, ?) ${replacing}`,
    remove: `DELETE FROM idempotent_user_answer WHERE workspace_id = :workspace AND (user_id, key) IN (
      SELECT user_id, key FROM idempotent_user_answer WHERE workspace_id = :workspace AND created_at <= ?
      ORDER BY created_at LIMIT ?)`,
    erase: `UPDATE idempotent_user_answer SET answer = '' WHERE workspace_id = :workspace AND (user_id, key) IN (
      SELECT user_id, key FROM idempotent_user_answer WHERE workspace_id = :workspace AND octet_length(answer) > 0 LIMIT ?)`,
  },
} as const

/** The response that was stored after `since`, a timestamp. */
export function lookupStored(
  reader: Reader,
  { by, id, idempotencyKey }: IdempotencyName,
  since: string,
): StoredResponse | undefined {
  return reader.row<StoredResponse>(statements[by].lookup, id, idempotencyKey, since)
}

export function insertStored(
  tx: Writer,
  { by, id, idempotencyKey }: IdempotencyName,
  { request, response }: StoredResponse,
): void {
  tx.run(statements[by].insert, id, idempotencyKey, request, response, tx.now)
}

/**
 * Overwrites some of the workspace's responses, because any of them may show a record that is erased: they are encrypted, and a record is also
 * shown by those that refer to it. The requests stay known, so none is processed again. Returns how many it has overwritten; 0: none is left.
 */
export function eraseSomeStored(tx: Writer): number {
  return tx.run(statements.api_key.erase, erasedPerWrite) + tx.run(statements.user.erase, erasedPerWrite)
}

export function eraseStored(tx: Writer): void {
  while (eraseSomeStored(tx) > 0);
}

/** Overwrites the responses that only this database can decrypt. */
export function eraseStoredOfUsers(tx: Writer): void {
  tx.run("UPDATE idempotent_user_answer SET answer = '' WHERE workspace_id = :workspace")
}

/** Removes some of the workspace's responses that were stored at or before `until`, a timestamp. */
export function removeStored(tx: Writer, by: IdempotencyName['by'], until: string): void {
  tx.run(statements[by].remove, until, expiredPerWrite)
}

/** Encrypts the responses to a user's requests. It is derived from a key in the database: a session's token changes with each sign-in. */
export function responseKeyOf(access: Reader, userId: string): Buffer {
  const key = access.value<string>("SELECT value FROM setting WHERE name = 'webhook_key'")!
  return createHmac('sha256', key).update(`idempotent answer ${userId}`).digest()
}
