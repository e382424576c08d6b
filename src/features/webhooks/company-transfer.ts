import type { Reader, Writer } from '../../store/reader.ts'
import { disable } from './stored/record-reports.ts'
import { readSecrets, reencrypt, secretPattern, secretsMax } from './stored/secrets.ts'
import { webhook } from './webhook.ts'

/** Encrypts the secrets of a workspace's webhooks, which come from another database, with the key of this one. `from` reads the settings of the original. */
export function reencryptSecrets(tx: Writer, from: Reader): void {
  const sql = 'SELECT webhook_id, secrets FROM webhook_state WHERE workspace_id = :workspace'
  for (const { webhook_id, secrets } of tx.rows<{ webhook_id: string; secrets: string }>(sql)) {
    const update = 'UPDATE webhook_state SET secrets = ? WHERE workspace_id = :workspace AND webhook_id = ?'
    tx.run(update, reencrypt(secrets, from, tx.access), webhook_id)
  }
}

interface Stored {
  id: string
  url: string
  secrets: string
  replay: string | null
}

/**
 * Finds webhooks of a workspace that no request could have stored, so that the sender of all companies would fail on them. `access` reads the
 * settings of their database. One sentence each.
 */
export function* verifyWebhooks(reader: Reader, access: Reader): Generator<string> {
  const sql = `SELECT id, url, secrets, replay FROM webhook
    JOIN webhook_state ON webhook_state.workspace_id = webhook.workspace_id AND webhook_id = id
    WHERE webhook.workspace_id = :workspace AND deleted_at IS NULL`
  for (const stored of reader.rows<Stored>(sql))
    if (!isSound(stored, access)) yield `the webhook ${stored.id} cannot be delivered to`
}

function isSound({ url, secrets, replay }: Stored, access: Reader): boolean {
  const { after, until, onlyFailed, id } = JSON.parse(replay ?? '{"id":"","after":0,"until":0,"onlyFailed":false}')
  const signing = readSecrets(access, secrets)
  return (
    /^https?:$/.test(URL.parse(url)?.protocol ?? '') &&
    signing.length > 0 &&
    signing.length <= secretsMax &&
    signing.every(({ secret, untilMs }) => secretPattern.test(secret) && isMoment(untilMs)) &&
    [after, until].every(Number.isSafeInteger) &&
    typeof onlyFailed === 'boolean' &&
    typeof id === 'string'
  )
}

function isMoment(untilMs: unknown): boolean {
  return untilMs === null || Number.isSafeInteger(untilMs)
}

/**
 * Makes the webhooks of a copied workspace inactive, because the original sends the same events, and encrypts their secrets with the key of
 * this database. `from` reads the settings of the original.
 */
export function deactivateTransferred(tx: Writer, from: Reader): void {
  reencryptSecrets(tx, from)
  tx.run('UPDATE webhook_state SET replay = NULL WHERE workspace_id = :workspace')
  const sql = 'SELECT id FROM webhook WHERE workspace_id = :workspace AND deleted_at IS NULL AND is_active = 1'
  for (const id of tx.values<string>(sql)) disable(webhook, tx, id, 'It was copied from another database')
}
