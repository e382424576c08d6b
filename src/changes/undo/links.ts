import type { Row } from '../../engine/records/definition/change.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { addressKeys, emailKey } from '../../lib/email.ts'
import { unpackUuid } from '../../lib/uuid.ts'
import { causedBy } from '../../store/change-log.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { latestOf, lookupPrevious } from '../stored-change.ts'
import type { Planned } from './plan.ts'
import type { Undone } from './report.ts'
import { newestOf } from './select.ts'
import { findResource, planAll, type Terms, undoEach } from './undo.ts'

/** What an undo has just taken from a contact. */
interface Taken {
  /** The number of the first change that was undone: what was linked before did not follow from it. */
  readonly since: number
  /** The keys of addresses; undefined: all of them, with the contact. */
  readonly addresses: ReadonlySet<string> | undefined
}

/**
 * Takes the messages back that were linked to contacts because of an address that an undo has just taken from them, also what its author does
 * not see (decision P5). A link is taken back completely, or not at all if any of it was changed since.
 */
export function takeLinksBack(tx: Writer, undone: readonly Undone[], terms: Terms): void {
  const writer = tx.unrestricted.as(causedBy(tx.unrestricted.origin, { linked: true }))
  const [contact, message] = [findResource(terms.resources, 'contact'), findResource(terms.resources, 'message')]
  const taken = new Map<string, Taken>()
  for (const each of undone) {
    const gone = each.resource === contact.name ? takenFrom(writer, contact, each) : undefined
    if (gone) taken.set(each.record_id, gone)
  }
  if (taken.size === 0) return
  const begun = latestOf(writer)
  const entries = linksOf(writer, [...taken.keys()])
    .filter(({ recordId, seq }) => {
      const row = lookupRow(message, writer, recordId)
      return row && followed(row, seq, taken) && !hasContact(writer, row)
    })
    .map(({ recordId, seq }) => ({ resource: message.name, recordId, seq: [seq], force: false, begun }))
  const isWhole = ({ plan }: Planned) => plan.existence === undefined && plan.keptFields.length === 0
  undoEach(writer, planAll(writer, entries, terms.resources, tx.origin.requestId).filter(isWhole), terms)
}

/** Undefined: it has kept its addresses. The newest change of the contact is that of the undo. */
function takenFrom(reader: Reader, contact: Resource, { record_id, fields, seq }: Undone): Taken | undefined {
  const since = Math.min(...seq)
  if (!lookupRow(contact, reader, record_id)) return { since, addresses: undefined }
  if (!fields.includes('emails')) return undefined
  const { emails = [] } = JSON.parse(lookupPrevious(reader, newestOf(reader, record_id)) ?? '{}') as Former
  const sql = 'SELECT email_key FROM contact_email WHERE workspace_id = :workspace AND contact_id = ?'
  const kept = new Set(reader.values<string>(sql, record_id))
  return { since, addresses: new Set(emails.map(({ email }) => emailKey(email)).filter((key) => !kept.has(key))) }
}

interface Former {
  readonly emails?: readonly { readonly email: string }[]
}

/** Whether a message was linked to one of its contacts, by the change of this number, because of what was taken from the contact. */
function followed(row: Row, seq: number, taken: ReadonlyMap<string, Taken>): boolean {
  const keys = addressKeys(row)
  return (JSON.parse(String(row.contact_ids)) as string[]).some((id) => {
    const gone = taken.get(id)
    if (!gone || seq <= gone.since) return false
    const { addresses } = gone
    return addresses === undefined || keys.some((key) => addresses.has(key))
  })
}

/** The changes that linked messages of some contacts last, without those that an undo made. */
function linksOf(reader: Reader, contactIds: readonly string[]): { recordId: string; seq: number }[] {
  const sql = `SELECT record_id, max(seq) AS seq FROM
      (SELECT DISTINCT message_id FROM json_each(?) AS given CROSS JOIN message_contact INDEXED BY message_contact_contact_id
        ON message_contact.workspace_id = :workspace AND contact_id = given.value) AS found
    CROSS JOIN change INDEXED BY change_record_id ON change.workspace_id = :workspace
      AND record_id = unhex(replace(found.message_id, '-', ''))
    WHERE cause ->> '$.linked' IS NOT NULL AND cause ->> '$.reverts' IS NULL GROUP BY record_id`
  const rows = reader.rows<{ record_id: Uint8Array; seq: number }>(sql, JSON.stringify(contactIds))
  return rows.map(({ record_id, seq }) => ({ recordId: unpackUuid(record_id), seq }))
}

/** Whether a contact of a message has one of its addresses. */
function hasContact(reader: Reader, row: Row): boolean {
  const sql = `SELECT 1 FROM json_each(?) AS given
    CROSS JOIN contact ON contact.workspace_id = :workspace AND contact.id = given.value AND deleted_at IS NULL
    CROSS JOIN contact_email ON contact_email.workspace_id = :workspace AND contact_id = contact.id
    WHERE email_key IN (SELECT value FROM json_each(?)) LIMIT 1`
  return reader.value(sql, String(row.contact_ids), JSON.stringify(addressKeys(row))) !== undefined
}
