import { packUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'
import {
  hasRestricted,
  isRestricted,
  type MessageState,
  notForAll,
  seesMessage,
  type View,
} from '../store/visibility.ts'
import { type ChangeHead, type StoredChange, selectStored } from './stored-change.ts'

// Who may see a record decides who may see its changes, by today's rights (decision P7). Of a change that hides a message or its files, those
// who saw them learn that they are gone.

type Subject = Pick<ChangeHead, 'resource' | 'recordId'>

/** Returns whether the reader sees the record of a change. */
export function seenIn(reader: Reader, changes: readonly Subject[]): (change: Subject) => boolean {
  const restricted = changes.filter(({ resource }) => isRestricted(resource))
  const seen = new Set<string>()
  for (const [table, of] of Map.groupBy(restricted, ({ resource }) => resource)) {
    const ids = JSON.stringify([...new Set(of.map(({ recordId }) => recordId))])
    const sql = `SELECT id FROM ${table} WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
    for (const id of reader.values<string>(sql, ids)) seen.add(id)
  }
  return ({ resource, recordId }) => !isRestricted(resource) || seen.has(recordId)
}

/** How a follower of the log sees a change: as it is, not at all, or as one that takes the record away or shows it for the first time. */
export type Sight = 'as it is' | 'unseen' | 'hides' | 'reveals'

/** Returns how a follower sees a change. */
export function sightsIn(
  reader: Reader,
  changes: readonly StoredChange[],
  view: View,
): (change: StoredChange) => Sight {
  const isSeen = seenIn(reader, changes)
  return (change) => {
    const { message } = JSON.parse((change.resource === 'file' && change.cause) || '{}')
    const deciding = message === undefined ? change : lookupBefore(reader, message, change.seq)
    return deciding ? sightOf(deciding, isSeen(change), view) : isSeen(change) ? 'as it is' : 'unseen'
  }
}

/** The last change of a record before a number: of a message, what has hidden or revealed its files. */
function lookupBefore(reader: Reader, recordId: string, seq: number): StoredChange | undefined {
  return selectStored(
    reader,
    'record_id',
    'AND record_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1',
    packUuid(recordId),
    seq,
  )[0]
}

/** The log stores a message with every change that may hide or reveal it. */
function sightOf(change: StoredChange, isSeen: boolean, view: View): Sight {
  const { data, previous, type } = change
  const asNow: Sight = isSeen ? 'as it is' : 'unseen'
  if (change.resource !== 'message' || data === null) return asNow
  const former = JSON.parse(previous ?? '{}')
  const isAbout = ['audience', 'status', 'user_ids'].some((name) => Object.hasOwn(former, name))
  const isUpdate = !['created', 'deleted', 'restored', 'erased'].some((verb) => type.endsWith(`.${verb}`))
  if (!isUpdate || !isAbout) return asNow
  const after: MessageState = JSON.parse(data)
  const before: MessageState = { ...after, ...former, held_for: former.unshown?.held_for }
  const [saw, sees] = [seesMessage(before, view), seesMessage(after, view)]
  if (isSeen) return saw ? 'as it is' : 'reveals'
  return saw && !sees ? 'hides' : 'unseen'
}

/**
 * Whether a message or a file was changed by a merge, its undo, what a message was linked to, or a change of who sees the message: no report and
 * no preview shows it.
 */
export function isConsequence({ resource, cause }: ChangeHead): boolean {
  if (resource !== 'message' && resource !== 'file') return false
  const { merge, aside, linked, message } = JSON.parse(cause ?? '{}')
  return merge !== undefined || aside !== undefined || linked !== undefined || message !== undefined
}

/** Returns whether a change is one of a message, or of a file that belongs to one. */
export function ofMessagesIn(reader: Reader, changes: readonly Subject[]): (change: Subject) => boolean {
  const ids = changes.flatMap(({ resource, recordId }) => (resource === 'file' ? [recordId] : []))
  const sql = `SELECT id FROM main.file WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?)) AND message_id IS NOT NULL`
  const attached = new Set(ids.length === 0 ? [] : reader.values<string>(sql, JSON.stringify(ids)))
  return ({ resource, recordId }) => resource === 'message' || attached.has(recordId)
}

/** Returns whether a change is one of a message that not everybody sees, or of a file of one. */
export function privateIn(reader: Reader, changes: readonly Subject[]): (change: Subject) => boolean {
  if (!hasRestricted(reader)) return () => false
  const ids = changes.flatMap(({ resource, recordId }) => (isRestricted(resource) ? [recordId] : []))
  const sql = `WITH given (id) AS (SELECT value FROM json_each(?)),
      message_of (id, message_id) AS (SELECT id, id FROM given
        UNION ALL SELECT given.id, message_id FROM given CROSS JOIN main.file ON file.workspace_id = :workspace AND file.id = given.id)
    SELECT message_of.id FROM message_of CROSS JOIN main.message ON message.workspace_id = :workspace AND message.id = message_id
    WHERE ${notForAll('message')}`
  const found = new Set(reader.values<string>(sql, JSON.stringify(ids)))
  return ({ recordId }) => found.has(recordId)
}
