import { hash } from 'node:crypto'
import { failingMail, storeFailingMail } from '../../../access/setting.ts'
import { decrypt, encrypt } from '../../../lib/cipher.ts'
import type { Reader, Writer } from '../../../store/reader.ts'

/** How far a mailbox has been read. */
export interface Position {
  /** Of the folder when it was read; null: it was not. */
  readonly uidValidity: string | null
  /** The number of the last message that was delivered. */
  readonly lastUid: number
  /** Messages that arrived before this day are left out: `2026-01-31`. When all numbers have changed, only until the folder has been read. */
  readonly since: string | null
  /** When the newest message arrived in the mailbox; before the first one, with `now`: when the folder was first read. */
  readonly arrivedAt: string | null
}

const whereSql = 'WHERE workspace_id = :workspace AND source_id = ?'

/** Stores the password of a source, encrypted. A new source begins at its start; with a new mailbox, it begins again. */
export function storePassword(tx: Writer, id: string, password: string): void {
  const sql = `INSERT INTO mail_source_state (workspace_id, source_id, password, last_uid) VALUES (:workspace, ?, ?, 0)
    ON CONFLICT DO UPDATE SET password = excluded.password`
  tx.run(sql, id, encrypt(encryptionKey(tx), password))
}

/** Undefined: it was not encrypted in this database. */
export function lookupPassword(access: Reader, stored: string): string | undefined {
  try {
    return decrypt(encryptionKey(access), stored)
  } catch {
    return undefined
  }
}

/** Makes a source begin at its start: it leads to another folder. */
export function forgetPosition(tx: Writer, id: string): void {
  const sql = `UPDATE mail_source_state SET uid_validity = NULL, last_uid = 0, since = NULL, arrived_at = NULL ${whereSql}`
  tx.run(sql, id)
}

export function lookupPosition(reader: Reader, id: string): Position | undefined {
  const sql = `SELECT uid_validity AS uidValidity, last_uid AS lastUid, since, arrived_at AS arrivedAt FROM mail_source_state ${whereSql}`
  return reader.row<Position>(sql, id)
}

/** Has no effect if the source is erased. */
export function storePosition(tx: Writer, id: string, { uidValidity, lastUid, since, arrivedAt }: Position): void {
  const sql = `UPDATE mail_source_state SET uid_validity = ?, last_uid = ?, since = ?, arrived_at = ? ${whereSql}`
  tx.run(sql, uidValidity, lastUid, since, arrivedAt, id)
}

export function removeState(tx: Writer, id: string): void {
  tx.run(`DELETE FROM mail_source_state ${whereSql}`, id)
  storeFailingMail(tx, id, null)
}

/** Removes the notes about mailboxes that no longer exist. */
export function forgetGone(access: Writer): void {
  access.run(`DELETE FROM setting WHERE name GLOB '${failingMail}*'
    AND substr(name, ${failingMail.length + 1}) NOT IN (SELECT source_id FROM workspace JOIN mail_source_state ON workspace_id = workspace.id)`)
}

/** Encrypts the passwords of a workspace, which come from another database, with the key of this one. Those that cannot be read are removed. */
export function reencryptPasswords(tx: Writer, from: Reader): void {
  const sql = 'SELECT source_id AS id, password FROM mail_source_state WHERE workspace_id = :workspace'
  for (const { id, password } of tx.rows<{ id: string; password: string }>(sql)) {
    const text = lookupPassword(from, password)
    if (text === undefined) removeState(tx, id)
    else storePassword(tx, id, text)
  }
}

/** It is in the database, too: it keeps passwords out of logs and partial copies, not from somebody who has the whole database. */
function encryptionKey(reader: Reader): Buffer {
  const value = reader.value<string>("SELECT value FROM setting WHERE name = 'webhook_key'")!
  return hash('sha256', `mail source ${value}`, 'buffer')
}
