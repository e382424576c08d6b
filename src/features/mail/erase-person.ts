import { boundsOf, latestOf } from '../../changes/stored-change.ts'
import { ignoredSender } from '../../crm/ignored-sender.ts'
import { message } from '../../crm/message.ts'
import { forgetAddresses, forgetUnmatched, noteUnmatched, outsidersOf } from '../../crm/unmatched.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { deleteRow, eraseRow, scrubRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { addressKeys, emailKey, isInDomain } from '../../lib/email.ts'
import { unpackUuid } from '../../lib/uuid.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { eraseMessages, removeOriginal } from './erase-message.ts'
import { contactsBy } from './people.ts'
import { nowhere, Person, withoutOwner } from './person.ts'

interface Stored extends Row {
  id: string
  deleted_at: string | null
}

interface Mailbox {
  name: string | null
  address: string
}

/** The messages that have an address of a contact. */
interface Found {
  readonly ids: readonly string[]
  /** The keys of the addresses that were searched for. */
  readonly addresses: readonly string[]
  /** The number of the last change that was searched. */
  readonly until: number
}

/**
 * Searches the participants of all messages for a contact: only an erasure needs them by address, so there is no index. It takes long where
 * there are many, so it is done before the transaction that erases the contact.
 */
export function findFromMessages(reader: Reader, contactId: string): Found {
  const until = latestOf(reader)
  const addresses = Person.of(reader, contactId)?.addresses ?? []
  return { ids: messagesWith(reader, addresses), addresses, until }
}

/**
 * Erases the messages in which a contact that is about to be erased is the only outsider, and takes its names and addresses out of the others, also
 * those that the author does not see (decision P10). Returns the ids of the records that are erased, and of the messages that stay without it.
 */
export function eraseFromMessages(
  tx: Writer,
  contactId: string,
  before: Found,
): { erased: readonly string[]; scrubbed: readonly string[] } {
  const all = tx.unrestricted
  const person = Person.of(all, contactId)
  if (!person) return { erased: [], scrubbed: [] }
  const colleagues = new Set(all.values<string>('SELECT email_key FROM workspace_user WHERE workspace_id = :workspace'))
  const domains = ownDomains(all)
  const isInside = (address: string) =>
    colleagues.has(address) || address === nowhere || domains.some((domain) => isInDomain(address, domain))
  const isPruned = boundsOf(all).oldest > 1
  const outsiders = (row: Stored) => addressKeys(row).filter((address) => !isInside(address))
  const inMessage = (row: Stored) => (isPruned ? presumedIn(all, row, person, outsiders(row)) : person)
  const own = withoutOwner(all, person.addresses)
  const found = messagesOf(all, contactId, own, before).map((row) => ({ row, person: inMessage(row) }))
  const { alone = [], among = [] } = Object.groupBy(found, (each) =>
    outsiders(each.row).every((address) => each.person.hasAddress(address)) ? 'alone' : 'among',
  )
  for (const each of among) scrub(all, each.row, each.person, contactId)
  const messages = eraseMessages(
    all,
    alone.map(({ row }) => row.id),
  )
  forgetAddresses(all, own)
  return { erased: [...messages, ...forgetSender(all, person)], scrubbed: among.map(({ row }) => row.id) }
}

/** The messages that are linked to it, and those that have an address which is its own, whatever they are linked to, trash included. */
function messagesOf(reader: Reader, contactId: string, own: readonly string[], before: Found): Stored[] {
  const linked = 'SELECT message_id FROM message_contact WHERE workspace_id = :workspace AND contact_id = ?'
  const ids = [
    ...reader.values<string>(linked, contactId),
    ...messagesWith(reader, own, candidatesOf(reader, own, before)),
  ]
  const sql = `SELECT message.*, "from", "to" FROM message
    WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
  return reader.rows<Stored>(sql, JSON.stringify(ids))
}

/** What was found before, and what has changed since. Undefined: not all of the addresses were searched for. */
function candidatesOf(reader: Reader, own: readonly string[], before: Found): string[] | undefined {
  if (!own.every((address) => before.addresses.includes(address))) return undefined
  const sql = 'SELECT DISTINCT record_id FROM change WHERE workspace_id = :workspace AND seq > ?'
  return [...before.ids, ...reader.values<Uint8Array>(sql, before.until).map(unpackUuid)]
}

/** Of these messages, by default of all, those that have one of the addresses. */
function messagesWith(reader: Reader, addresses: readonly string[], among?: readonly string[]): string[] {
  if (addresses.length === 0) return []
  const names = addresses.map((address) => address.slice(0, address.lastIndexOf('@') + 1)) // domains have several forms
  const isAmong = among ? 'AND id IN (SELECT value FROM json_each(?))' : ''
  const sql = `SELECT id, "from", "to", cc FROM main.message WHERE workspace_id = :workspace ${isAmong}
    AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(concat("from", "to", cc)), value) > 0)`
  const candidates = reader.rows<Stored>(sql, ...(among ? [JSON.stringify(among)] : []), JSON.stringify(names))
  return candidates.filter((row) => addressKeys(row).some((key) => addresses.includes(key))).map(({ id }) => id)
}

/**
 * The log may no longer have a former address: that of the only outsider of a message of this contact alone is taken for one, if it is nobody
 * else's.
 */
function presumedIn(reader: Reader, row: Stored, person: Person, outsiders: readonly string[]): Person {
  const [address] = outsiders
  if (address === undefined || outsiders.length > 1 || JSON.parse(String(row.contact_ids)).length > 1) return person
  return withoutOwner(reader, [address]).length > 0 ? person.reachedAt(address) : person
}

/** Erases what says that the messages of a contact are not for Kontor. */
function forgetSender(tx: Writer, { addresses }: Person): string[] {
  const sql = `SELECT id FROM ignored_sender
    WHERE workspace_id = :workspace AND address_key IN (SELECT value FROM json_each(?))`
  const ids = tx.values<string>(sql, JSON.stringify(addresses))
  for (const id of ids) {
    const row = lookupRow(ignoredSender, tx, id)
    if (row) deleteRow(ignoredSender, tx, id, row)
    if (!row?.user_id) eraseRow(ignoredSender, tx, id) // a personal one is gone, and in no log
  }
  return ids
}

/** The domains of Kontor's own addresses, also of those that were deleted or replaced: nothing else uses them. */
function ownDomains(reader: Reader): string[] {
  const sql = `SELECT DISTINCT substr(address, instr(address, '@') + 1) FROM mail_address
    WHERE workspace_id = :workspace AND address <> ''`
  return reader.values<string>(sql)
}

function mailboxesOf({ from, to, cc }: Row): Mailbox[] {
  const sender = from === null ? [] : [JSON.parse(String(from))]
  return [...sender, ...JSON.parse(String(to)), ...JSON.parse(String(cc))]
}

/** Takes a person out of a message. One of this contact then belongs to the others that have its addresses, or is unmatched (decision P5). */
function scrub(tx: Writer, row: Stored, given: Person, contactId: string): void {
  const shown = mailboxesOf(row).flatMap(({ name, address }) =>
    name !== null && given.hasAddress(emailKey(address)) ? [name] : [],
  )
  const person = given.named(shown)
  removeOriginal(tx, row.id)
  const lists = {
    from: row.from === null ? null : person.without(String(row.from)),
    to: person.without(String(row.to)),
    cc: person.without(String(row.cc)),
  }
  const linked = JSON.parse(String(row.contact_ids)) as string[]
  const isLinked = linked.includes(contactId)
  const left = linked.filter((id) => id !== contactId)
  const others = outsidersOf(tx, lists).filter((key) => key !== nowhere)
  const ids =
    left.length > 0 || !isLinked ? left : [...new Set(contactsBy(tx, others).map(({ contact_id }) => contact_id))]
  scrubRow(message, tx, row.id, {
    ...lists,
    subject: row.subject === null ? null : person.outOf(String(row.subject)),
    text: person.outOf(String(row.text)),
    participants: row.participants === null ? null : person.outOf(String(row.participants)),
    ...{ html: null, has_html: 0, contact_ids: JSON.stringify(ids) },
    ...(row.status === 'matched' && ids.length === 0 && { status: 'unmatched' }),
  })
  if (!isLinked) return
  forgetUnmatched(tx, row.id)
  if (ids.length === 0) noteUnmatched(tx, row.id, others)
}
