import { matchesType } from '../../../changes/feed-query.ts'
import { dayMs, timestamp } from '../../../lib/clock.ts'
import { isHereSql } from '../../../store/move-state.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { readSecrets, replaceSecret, type Secret } from './secrets.ts'

/** A webhook that delivers. */
export interface Active {
  id: string
  url: string
  /** The types of changes that it delivers. */
  types: readonly string[]
  payload: 'full' | 'thin'
  ordered: boolean
  /** The current one first. */
  secrets: readonly Secret[]
  /** Every change up to this number has been attempted or skipped. */
  position: number
  /** Whether its last attempt has failed. */
  isFailing: boolean
  /** A range of the log that is delivered again; undefined: none. */
  replay: Replay | undefined
}

/** The changes after a number, up to another one, that are delivered again: all, or those whose delivery has failed. */
export interface Replay {
  id: string
  after: number
  until: number
  onlyFailed: boolean
}

interface Row {
  id: string
  url: string
  events: string
  payload: 'full' | 'thin'
  ordered: 0 | 1
  secrets: string
  position: number
  failures: number
  replay: string | null
}

/** The plan must include the feature (decision H1), and the company must be served here. */
const includedSql = `EXISTS (SELECT 1 FROM workspace JOIN company ON company.id = company_id JOIN plan ON plan.name = company.plan
  WHERE workspace.id = :workspace AND plan.webhooks = 1 AND ${isHereSql('company.id')})`

const activeSql = `SELECT webhook.id, url, events, payload, ordered, secrets, position, failures, replay
  FROM webhook JOIN webhook_state ON webhook_state.workspace_id = webhook.workspace_id AND webhook_id = webhook.id
  WHERE webhook.workspace_id = :workspace AND deleted_at IS NULL AND is_active = 1 AND ${includedSql}`

/** The positions of active webhooks (`LogReader.positions`): they need what they have not sent, what is sent again, and what waits for another attempt. */
export const positionsSql = `SELECT webhook.workspace_id, position,
    min(position, ifnull(replay ->> 'after', position), ifnull((
      SELECT min(seq) - 1 FROM webhook_delivery AS pending
      WHERE pending.workspace_id = webhook.workspace_id AND pending.webhook_id = webhook.id AND next_at IS NOT NULL), position)) AS needed
  FROM webhook JOIN webhook_state ON webhook_state.workspace_id = webhook.workspace_id AND webhook_id = webhook.id
  WHERE deleted_at IS NULL AND is_active = 1`

export function includesWebhooks(reader: Reader): boolean {
  return reader.value<number>(`SELECT ${includedSql}`) === 1
}

/** Messages are delivered to those who list them by name (decision P7). */
function delivers(pattern: string, type: string): boolean {
  return matchesType(type, pattern) && (pattern !== '*' || !type.startsWith('message.'))
}

/** The webhooks of a workspace that deliver. `eventTypes` are all types that webhooks can deliver. */
export function listActive(reader: Reader, eventTypes: readonly string[]): Active[] {
  return reader.rows<Row>(activeSql).map(({ events, ordered, secrets, failures, replay, ...row }) => ({
    ...row,
    types: eventTypes.filter((type) => JSON.parse(events).some((pattern: string) => delivers(pattern, type))),
    ordered: ordered === 1,
    isFailing: failures > 0,
    secrets: readSecrets(reader, secrets),
    replay: replay === null ? undefined : JSON.parse(replay),
  }))
}

/** Begins after the newest change, the webhook's own creation. Returns the secret, which is shown only once. */
export function insertState(tx: Writer, id: string): string {
  const { secret, stored } = replaceSecret(tx, { nowMs: Date.parse(tx.now) })
  const sql = `INSERT INTO webhook_state (workspace_id, webhook_id, position, secrets)
    SELECT :workspace, ?, max(seq), ? FROM change WHERE workspace_id = :workspace`
  tx.run(sql, id, stored)
  return secret
}

/** Returns the new secret. The former ones sign for `overlapMs`. */
export function rotateSecret(tx: Writer, id: string, overlapMs: number): string {
  const sql = 'SELECT secrets FROM webhook_state WHERE workspace_id = :workspace AND webhook_id = ?'
  const before = tx.value<string>(sql, id)!
  const { secret, stored } = replaceSecret(tx, { stored: before, nowMs: Date.parse(tx.now), overlapMs })
  tx.run('UPDATE webhook_state SET secrets = ? WHERE workspace_id = :workspace AND webhook_id = ?', stored, id)
  return secret
}

/** The number of attempts since the last successful one. */
export function setFailures(tx: Writer, id: string, failures: number): void {
  tx.run('UPDATE webhook_state SET failures = ? WHERE workspace_id = :workspace AND webhook_id = ?', failures, id)
}

/** Delivers a range again. Returns false if another one is not over. */
export function beginReplay(tx: Writer, id: string, range: Omit<Replay, 'id'>): boolean {
  const sql =
    'UPDATE webhook_state SET replay = ? WHERE workspace_id = :workspace AND webhook_id = ? AND replay IS NULL'
  return tx.run(sql, JSON.stringify({ id: tx.newId(), ...range }), id) > 0
}

/** Stores the rest of a range that is delivered again; an empty one is over. */
export function storeReplay(tx: Writer, webhookId: string, rest: Replay): void {
  const sql = `UPDATE webhook_state SET replay = ?
    WHERE workspace_id = :workspace AND webhook_id = ? AND replay ->> 'id' = ?`
  tx.run(sql, rest.after < rest.until ? JSON.stringify(rest) : null, webhookId, rest.id)
}

const failingMs = dayMs

/** Counts the webhooks of all workspaces that have been failing for a day or are disabled, and the deliveries that are attempted again. */
export function measureWebhooks(access: Reader, nowMs: number): { failing: number; pending: number } {
  const sql = `SELECT (SELECT count(*) FROM webhook
      WHERE deleted_at IS NULL AND (failing_since <= ? AND is_active = 1 OR disabled_at IS NOT NULL)) AS failing,
    (SELECT count(*) FROM webhook_delivery AS sent JOIN webhook
      ON webhook.workspace_id = sent.workspace_id AND webhook.id = webhook_id AND webhook.deleted_at IS NULL AND is_active = 1
      WHERE next_at IS NOT NULL) AS pending`
  return access.row<{ failing: number; pending: number }>(sql, timestamp(nowMs - failingMs))!
}
