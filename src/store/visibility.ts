import type { Connection } from './open.ts'
import type { Reader } from './reader.ts'
import { everything, type View } from './viewer.ts'

export { everything, team, type View, type Viewer } from './viewer.ts'

// Not everybody sees every message (decision P7). On each connection, views take the names of the tables with such rows, so that no
// statement can forget it. Only `main.message` names the table itself.

const isHeldFor = '(SELECT viewer()) IN (SELECT value FROM json_each(hidden.held_for))'
const isParticipant = `EXISTS (SELECT 1 FROM main.message_user AS own WHERE own.workspace_id = hidden.workspace_id
  AND own.message_id = hidden.id AND own.user_id = (SELECT viewer()))`

/** SQL: whether not everybody sees a message. */
export const notForAll = (message: string) => `(${message}.audience = 'participants' OR ${message}.status = 'held')`

/** Whether a message is hidden. An index has those that not everybody sees. The id is all that it needs of a row, and each index has it. */
const isHidden = (
  workspaceId: string,
  id: string,
) => `EXISTS (SELECT 1 FROM main.message AS hidden INDEXED BY message_restricted
  WHERE hidden.workspace_id = ${workspaceId} AND hidden.id = ${id} AND ${notForAll('hidden')}
    AND NOT ifnull(iif(hidden.status = 'held', (SELECT sees_held()) OR ${isHeldFor}, ${isParticipant}), 0))`

const isAttached = `EXISTS (SELECT 1 FROM main.file AS attached WHERE attached.workspace_id = row.workspace_id AND attached.id = row.id
  AND attached.message_id IS NOT NULL AND ${isHidden('attached.workspace_id', 'attached.message_id')})`

/** Which rows are hidden, by table. `viewer()` is the user; `sees_held()` and `sees_all()` are 1 or 0. */
const hidden: Readonly<Record<string, string>> = {
  message: isHidden('row.workspace_id', 'row.id'),
  file: isAttached,
  trash: `(row.type = 'message' AND ${isHidden('row.workspace_id', 'row.id')}) OR (row.type = 'file' AND ${isAttached})`,
}

/** What decides who sees a message, as the log has it. */
export interface MessageState {
  audience: string
  status: string
  user_ids: readonly string[]
  /** JSON. */
  held_for?: string | null
}

/** The same condition on a former state of a message. */
export function seesMessage({ audience, status, user_ids, held_for }: MessageState, view: View): boolean {
  if (view === everything) return true
  const { userId, isAdmin } = view
  if (status === 'held') return isAdmin || (userId !== null && JSON.parse(held_for ?? '[]').includes(userId))
  return audience === 'team' || (userId !== null && user_ids.includes(userId))
}

/** For whom the statements of a connection run. */
export interface Eye {
  view: View
}

const eyes = new WeakMap<Connection, Eye>()

/** Makes the views of a connection, if its database has the tables. Once for each connection. */
export function restrict(db: Connection): Eye {
  const known = eyes.get(db)
  if (known) return known
  const eye: Eye = { view: everything }
  eyes.set(db, eye)
  db.function('viewer', { directOnly: true }, () => (eye.view === everything ? null : eye.view.userId))
  db.function('sees_held', { directOnly: true }, () => Number(eye.view !== everything && eye.view.isAdmin))
  db.function('sees_all', { directOnly: true }, () => Number(eye.view === everything))
  const hasTables = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'message'").get()
  if (hasTables === undefined) return eye
  const isReadOnly = db.pragma('query_only', { simple: true })
  db.pragma('query_only = OFF')
  for (const table of Object.keys(hidden)) db.exec(`CREATE TEMP VIEW ${table} AS ${seenRows(table)}`)
  db.pragma(`query_only = ${isReadOnly}`)
  return eye
}

/** The rows of a table that are seen. */
function seenRows(table: string, how = ''): string {
  return `SELECT * FROM main.${table} AS row${how} WHERE (SELECT sees_all()) OR NOT (${hidden[table]})`
}

/** A table by one of its indexes, for FROM. */
export function indexed(table: string, index: string): string {
  const how = ` INDEXED BY ${index}`
  return isRestricted(table) ? `(${seenRows(table, how)}) AS ${table}` : `${table}${how}`
}

/** Whether not everybody sees every row of a table. */
export function isRestricted(table: string): boolean {
  return Object.hasOwn(hidden, table)
}

/** Whether one of these records is hidden from the reader. */
export function hidesOne(reader: Reader, given: readonly string[]): boolean {
  if (!hasRestricted(reader)) return false
  const ids = JSON.stringify(given)
  const sql = (
    table: string,
  ) => `SELECT 1 FROM json_each(?) CROSS JOIN main.${table} AS row ON row.workspace_id = :workspace AND row.id = value
    WHERE NOT EXISTS (SELECT 1 FROM ${table} AS seen WHERE seen.workspace_id = :workspace AND seen.id = value) LIMIT 1`
  return ['message', 'file'].some((table) => reader.value(sql(table), ids) !== undefined)
}

/** Whether a workspace has messages, of which nobody may see all. */
export function hasMessages(reader: Reader): boolean {
  return reader.value('SELECT 1 FROM main.message WHERE workspace_id = :workspace LIMIT 1') !== undefined
}

/** Whether a workspace has messages that not everybody sees. */
export function hasRestricted(reader: Reader): boolean {
  const sql = `SELECT 1 FROM main.message WHERE workspace_id = :workspace AND ${notForAll('message')} LIMIT 1`
  return reader.value(sql) !== undefined
}
