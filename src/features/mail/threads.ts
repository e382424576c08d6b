import type { BatchReader } from '../../changes/readers/batch-reader.ts'
import { message } from '../../crm/message.ts'
import { moves, referenceTo } from '../../crm/message-thread.ts'
import { changeRow } from '../../engine/records/rows/write.ts'
import type { Reader, Writer } from '../../store/reader.ts'

/** How many of the messages that a message refers to are followed. */
const referencesMax = 100
/** How many messages and references of threads a transaction moves, together. */
const movedMax = 200

interface Referring {
  readonly internetMessageId: string | null
  readonly inReplyTo: readonly string[]
  readonly references: readonly string[]
}

/** A condition of SQL: references of this form, and no others. */
const isMove = `hash >= '${moves}' AND hash < '${String.fromCharCode(moves.charCodeAt(0) + 1)}'`

/**
 * The thread of a new message: the oldest one of those that it refers to, or that have referred to it (decision P5), and the others, which become
 * part of it: long ones step by step (`joinThreads`). Until then, its messages are in `parts`. A message that not everybody sees joins a thread,
 * but brings none together: others would see the trace.
 */
export function enterThread(
  tx: Writer,
  mail: Referring,
  isSeenByAll: boolean,
): { threadId: string; parts: readonly string[] } {
  const hashes = JSON.stringify([...new Set(namesOf(mail).map(referenceTo))])
  const into = `SELECT mail_reference.thread_id FROM mail_reference
    WHERE mail_reference.workspace_id = :workspace AND hash = '${moves}' || thread.id`
  const sql = `WITH RECURSIVE thread (id) AS (
      SELECT thread_id FROM mail_reference
        WHERE workspace_id = :workspace AND hash IN (SELECT value FROM json_each(?))
      UNION SELECT mail_reference.thread_id FROM thread CROSS JOIN mail_reference
        ON mail_reference.workspace_id = :workspace AND hash = '${moves}' || thread.id)
    SELECT id FROM thread WHERE NOT EXISTS (${into}) ORDER BY id`
  const [oldest, ...newer] = tx.values<string>(sql, hashes)
  const threadId = oldest ?? tx.newId()
  let room = movedMax
  for (const each of isSeenByAll ? newer : []) room = join(tx, each, threadId, room)
  const enter = `INSERT OR IGNORE INTO mail_reference (workspace_id, hash, thread_id)
    SELECT :workspace, value, ? FROM json_each(?)`
  tx.run(enter, threadId, hashes)
  return { threadId, parts: partsOf(tx, threadId) }
}

/** A thread, and those that still move into it. */
function partsOf(reader: Reader, threadId: string): string[] {
  const sql = `WITH RECURSIVE part (id) AS (
      VALUES (?)
      UNION SELECT substr(hash, 2) FROM part CROSS JOIN mail_reference
        ON mail_reference.workspace_id = :workspace AND mail_reference.thread_id = part.id AND ${isMove})
    SELECT id FROM part`
  return reader.values<string>(sql, threadId)
}

function namesOf({ internetMessageId, inReplyTo, references }: Referring): string[] {
  const own = internetMessageId === null ? [] : [internetMessageId]
  return [...own, ...inReplyTo.slice(0, referencesMax), ...references.slice(-referencesMax)]
}

/** Moves a thread into an older one. What there is no room for follows later. Returns the room that is left. */
function join(tx: Writer, from: string, to: string, room: number): number {
  const left = room - move(tx, from, to, room)
  if (left > 0) return left
  tx.run('INSERT INTO mail_reference (workspace_id, hash, thread_id) VALUES (:workspace, ?, ?)', moves + from, to)
  tx.run('DELETE FROM log_reader WHERE workspace_id = :workspace AND name = ?', joinThreads.name) // it begins anew
  return 0
}

/**
 * Returns how many messages and references have moved, together: if fewer than `max`, all. References come first, so that those of the messages
 * that are left are known, whatever is erased on the way. A message in the trash follows when it is restored (`followThread`).
 */
function move(tx: Writer, from: string, to: string, max: number): number {
  const references = `UPDATE mail_reference SET thread_id = ? WHERE workspace_id = :workspace AND hash IN (
    SELECT hash FROM mail_reference WHERE workspace_id = :workspace AND thread_id = ? LIMIT ?)`
  const moved = tx.run(references, to, from, max)
  const sql = `SELECT id FROM message WHERE workspace_id = :workspace AND thread_id = ? AND deleted_at IS NULL ORDER BY id LIMIT ?`
  const ids = tx.values<string>(sql, from, max - moved)
  for (const id of ids) changeRow(message, tx, id, { thread_id: to }, ['thread_id'])
  return moved + ids.length
}

/** Moves the rest of long threads into those that they have met, some messages at a time. */
export const joinThreads: BatchReader = {
  name: 'mail_threads',
  version: 1,
  types: ['message.created'],
  isNeeded: (reader) =>
    reader.value(`SELECT 1 FROM mail_reference WHERE workspace_id = :workspace AND ${isMove} LIMIT 1`) !== undefined,
  apply: () => [], // a thread that begins to move lets it begin anew
  rebuild: (reader) => {
    const next = joinThreads.isNeeded!(reader) ? moves : undefined
    return { steps: next ? [moveNext] : [], next }
  },
  verify: () => [], // where nothing moves, it has no position
}

function moveNext(tx: Writer): void {
  const sql = `SELECT substr(hash, 2) AS "from", thread_id AS "to" FROM mail_reference
    WHERE workspace_id = :workspace AND ${isMove} ORDER BY hash LIMIT 1`
  const next = tx.row<{ from: string; to: string }>(sql)
  if (!next || move(tx, next.from, next.to, movedMax) === movedMax) return
  tx.run('DELETE FROM mail_reference WHERE workspace_id = :workspace AND hash = ?', moves + next.from)
  forgetEmpty(tx, [next.to], [])
}

/**
 * Forgets what leads to the threads of messages that are about to be erased, if no other message of them is left: neither shown nor in the
 * trash.
 */
export function forgetThreads({ unrestricted: tx }: Writer, messageIds: readonly string[]): void {
  const sql = `SELECT DISTINCT thread_id FROM main.message
    WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
  const threads = tx.values<string>(sql, JSON.stringify(messageIds))
  if (threads.length > 0) forgetEmpty(tx, threads, messageIds)
}

/** Forgets those of some threads that have no messages but the given ones, now or soon. */
function forgetEmpty(tx: Writer, threads: readonly string[], messageIds: readonly string[]): void {
  const ids = JSON.stringify(messageIds)
  const given = 'SELECT value FROM json_each(?)'
  const shown = `SELECT 1 FROM main.message WHERE workspace_id = :workspace AND message.thread_id = mail_reference.thread_id
    AND message.deleted_at IS NULL AND id NOT IN (${given})`
  const inTrash = `SELECT thread_id FROM main.trash CROSS JOIN main.message
      ON message.workspace_id = :workspace AND message.id = trash.id
    WHERE trash.workspace_id = :workspace AND trash.type = 'message' AND trash.deleted_at IS NULL AND trash.id NOT IN (${given})`
  const moving = `SELECT thread_id FROM mail_reference WHERE workspace_id = :workspace AND ${isMove}`
  const sql = `DELETE FROM mail_reference WHERE workspace_id = :workspace AND thread_id IN (${given})
    AND NOT EXISTS (${shown}) AND thread_id NOT IN (${inTrash}) AND thread_id NOT IN (${moving})`
  tx.run(sql, JSON.stringify(threads), ids, ids)
}
