import type { Resource } from '../engine/definition/resource.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { disable } from './record.ts'
import { reencrypt } from './secrets.ts'

/** Encrypts the secrets of the workspace's webhooks, which have been copied, with the key of this database. `from` reads the settings of the original. */
export function reencryptCopied(tx: Writer, from: Reader): void {
  const sql = 'SELECT webhook_id, secrets FROM webhook_state WHERE workspace_id = :workspace'
  for (const { webhook_id, secrets } of tx.rows<{ webhook_id: string; secrets: string }>(sql)) {
    const update = 'UPDATE webhook_state SET secrets = ? WHERE workspace_id = :workspace AND webhook_id = ?'
    tx.run(update, reencrypt(secrets, from, tx.access), webhook_id)
  }
}

/**
 * Makes the webhooks of a copied workspace inactive, because the original sends the same events, and encrypts their secrets with the key of
 * this database. `from` reads the settings of the original.
 */
export function settleCopied(webhook: Resource, tx: Writer, from: Reader): void {
  reencryptCopied(tx, from)
  tx.run('UPDATE webhook_state SET replay = NULL WHERE workspace_id = :workspace')
  const sql = 'SELECT id FROM webhook WHERE workspace_id = :workspace AND deleted_at IS NULL AND is_active = 1'
  for (const id of tx.values<string>(sql)) disable(webhook, tx, id, 'It was copied from another database')
}
