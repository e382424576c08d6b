import type { Resource } from '../engine/definition/resource.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { disable } from './record.ts'
import { reencrypt } from './secrets.ts'

interface Copied {
  id: string
  secrets: string
  is_active: 0 | 1
}

/**
 * Makes the webhooks of a copied workspace inactive, because the original sends the same events, and encrypts their secrets with the key of
 * this database. `from` reads the settings of the original.
 */
export function settleCopied(webhook: Resource, tx: Writer, from: Reader): void {
  const sql = `SELECT id, secrets, is_active FROM webhook JOIN webhook_state ON webhook_id = id
    AND webhook_state.workspace_id = :workspace WHERE webhook.workspace_id = :workspace AND deleted_at IS NULL`
  for (const { id, secrets, is_active } of tx.rows<Copied>(sql)) {
    const update =
      'UPDATE webhook_state SET secrets = ?, replay = NULL WHERE workspace_id = :workspace AND webhook_id = ?'
    tx.run(update, reencrypt(secrets, from, tx.access), id)
    if (is_active === 1) disable(webhook, tx, id, 'It was copied from another database')
  }
}
