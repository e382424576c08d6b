import { type BatchReader, inSteps, type Step } from '../../changes/readers/batch-reader.ts'
import { message } from '../../crm/message.ts'
import { forgetUnmatched, outsidersOf } from '../../crm/unmatched.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { changeRow } from '../../engine/records/rows/write.ts'
import { causedBy } from '../../store/change-log.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { contactsBy } from './people.ts'

/** How many messages a transaction links. */
const linkedMax = 100
/** How many contacts a batch looks at while everything is made anew. */
const rebuiltMax = 300

/**
 * Links unmatched messages to the contacts that get their addresses later (decision P5), as a part of the request that changed the contact,
 * restored the message, or took it from its contacts: an undo of the contact takes the links back, and no report shows them.
 */
export const matchLater: BatchReader = {
  name: 'mail_matching',
  version: 2,
  types: [
    ...['contact.created', 'contact.updated', 'contact.restored', 'contact.merged'],
    ...['message.restored', 'message.updated'],
  ],
  isNeeded: (reader) =>
    reader.value('SELECT 1 FROM mail_unmatched WHERE workspace_id = :workspace LIMIT 1') !== undefined,
  apply(reader, changes) {
    const concerning = changes.filter(({ type, previous }) => type !== 'message.updated' || 'contact_ids' in previous)
    const requests = new Map(concerning.map(({ recordId, resource, requestId }) => [recordId, { resource, requestId }]))
    return stepsOf(
      [...requests].flatMap(([id, { resource, requestId }]) => {
        const ids = resource === message.name ? withoutContact(reader, id) : messagesOf(reader, [id])
        return ids.map((each) => ({ id: each, requestId }))
      }),
    )
  },
  rebuild(reader, after, position) {
    const sql =
      'SELECT id FROM contact WHERE workspace_id = :workspace AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?'
    const ids = reader.values<string>(sql, after, rebuiltMax)
    const found = messagesOf(reader, unchangedSince(position, reader, ids)).map((id) => ({ id, requestId: undefined }))
    return { steps: stepsOf(found), next: ids.length === rebuiltMax ? ids.at(-1) : undefined }
  },
  *verify(reader) {
    const sql = `SELECT id FROM message WHERE workspace_id = :workspace AND status = 'unmatched' AND deleted_at IS NULL
      AND id IN (${messagesSql('mail_unmatched.workspace_id = :workspace')})`
    for (const id of reader.values<string>(sql)) yield `message ${id} is unmatched, but a contact has its address`
  },
}

/** A message that belongs to no contact; none: it belongs to one. */
function withoutContact(reader: Reader, id: string): string[] {
  const sql = `SELECT id FROM message WHERE workspace_id = :workspace AND id = ? AND contact_ids = '[]'`
  return reader.values<string>(sql, id)
}

/** Those of some contacts that have not changed after a number: the others are linked as a part of the request that changed them. */
function unchangedSince(position: number, reader: Reader, ids: readonly string[]): string[] {
  const sql = `SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM change INDEXED BY change_record_id
    WHERE workspace_id = :workspace AND record_id = unhex(replace(value, '-', '')) AND seq > ?)`
  return reader.values<string>(sql, JSON.stringify(ids), position)
}

/** SQL for the messages with an address that a contact has. */
function messagesSql(condition: string): string {
  return `SELECT message_id FROM contact_email
    JOIN contact ON contact.workspace_id = :workspace AND contact.id = contact_id AND contact.deleted_at IS NULL
    JOIN mail_unmatched ON mail_unmatched.workspace_id = :workspace AND mail_unmatched.email_key = contact_email.email_key
    WHERE contact_email.workspace_id = :workspace AND ${condition}`
}

/** The unmatched messages with an address of some contacts. */
function messagesOf(reader: Reader, contactIds: readonly string[]): string[] {
  const sql = messagesSql('contact_id IN (SELECT value FROM json_each(?))')
  return [...new Set(reader.values<string>(sql, JSON.stringify(contactIds)))]
}

/** Links messages as a part of a request, if one is known. An undo of the contact finds the links by their cause. */
function stepsOf(found: readonly { id: string; requestId: string | undefined }[]): Step[] {
  return inSteps(found, linkedMax, (tx, { id, requestId }) => {
    const origin = requestId === undefined ? tx.origin : { ...tx.origin, requestId }
    link(tx.as(causedBy(origin, { linked: true })), id)
  })
}

/**
 * A message that has been matched since stays as it is. One in the trash waits until it is restored, and one whose contact has gone since for
 * another.
 */
function link(tx: Writer, id: string): void {
  const sql = `SELECT 1 FROM mail_unmatched
    CROSS JOIN contact_email ON contact_email.workspace_id = :workspace AND contact_email.email_key = mail_unmatched.email_key
    CROSS JOIN contact ON contact.workspace_id = :workspace AND contact.id = contact_id AND contact.deleted_at IS NULL
    WHERE mail_unmatched.workspace_id = :workspace AND message_id = ? LIMIT 1`
  if (tx.value(sql, id) === undefined) return
  const row = lookupRow(message, tx, id)
  if (!row) return
  forgetUnmatched(tx, id)
  if (row.status === 'matched' || row.contact_ids !== '[]') return
  const contacts = contactsBy(tx, outsidersOf(tx, row))
  const ids = [...new Set(contacts.map(({ contact_id }) => contact_id))]
  if (ids.length === 0) return
  const organization = contacts.find(({ organization_id }) => organization_id !== null)?.organization_id ?? null
  changeRow(message, tx, id, {
    contact_ids: JSON.stringify(ids),
    organization_id: row.organization_id ?? organization,
    suggested_organization_id: null,
    ...(row.status === 'unmatched' && { status: 'matched' }),
  })
}
