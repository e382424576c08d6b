import { domainToUnicode } from 'node:url'
import { emailKey } from '../../lib/email.ts'
import type { Reader } from '../../store/reader.ts'
import { indexed } from '../../store/visibility.ts'

/** The address of nobody (RFC 6761). */
export const nowhere = 'erased@erased.invalid'
const blank = '[erased]'
const namesMax = 100
/** What a text may have where a name has a space: the end of a line, of which the next one may be a quotation. */
const gap = '[\\s>]+'

/** What a contact is known by in mails. */
export class Person {
  readonly #names: readonly string[]
  readonly #addresses: ReadonlySet<string>

  constructor(names: readonly string[], addresses: ReadonlySet<string>) {
    this.#names = names
    this.#addresses = addresses
  }

  /** Undefined if there is no such contact. */
  static of(reader: Reader, contactId: string): Person | undefined {
    const sql = 'SELECT first_name, last_name FROM contact WHERE workspace_id = :workspace AND id = ?'
    const row = reader.row<{ first_name: string; last_name: string | null }>(sql, contactId)
    if (!row) return undefined
    const emails = 'SELECT email_key FROM contact_email WHERE workspace_id = :workspace AND contact_id = ?'
    const addresses = new Set([...reader.values<string>(emails, contactId), ...formerAddresses(reader, contactId)])
    const own = [row.first_name, row.last_name].filter((name) => name !== null)
    return new Person([own.join(' '), own.toReversed().join(', '), ...own], addresses)
  }

  /** The keys of its addresses, and of those that it had before, unless they are others' now. */
  get addresses(): readonly string[] {
    return [...this.#addresses]
  }

  hasAddress(address: string): boolean {
    return this.#addresses.has(address)
  }

  /** The same person with further names. */
  named(names: readonly string[]): Person {
    return new Person([...names, ...this.#names].slice(0, namesMax), this.#addresses)
  }

  /** The same person with a further address. */
  reachedAt(address: string): Person {
    return new Person(this.#names, new Set([...this.#addresses, address]))
  }

  /** A text without its addresses and names, the longest first. */
  outOf(text: string): string {
    const known = [...[...this.#addresses].flatMap(formsOf), ...this.#names].filter((each) => each.trim().length > 1)
    if (known.length === 0) return text
    const parts = known
      .flatMap((each) => [...new Set([each.normalize('NFC'), each.normalize('NFD')])])
      .toSorted((a, b) => b.length - a.length)
      .map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, gap))
    return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'giu'), blank)
  }

  /** One or several mailboxes, as JSON, with nobody instead of this person. */
  without(mailboxes: string): string {
    return JSON.stringify(JSON.parse(mailboxes), (_, value) => {
      if (value === null || typeof value !== 'object' || !('address' in value)) return value
      if (this.hasAddress(emailKey(value.address))) return { name: null, address: nowhere }
      return { ...value, name: value.name && this.outOf(value.name) }
    })
  }
}

/** How an address may be written: an internationalized domain has two forms. */
function formsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return [address, address.slice(0, at) + (domainToUnicode(domain) || domain)]
}

/** The addresses that a contact, or one that was merged into it, had before, as far as the log goes back. */
function formerAddresses(reader: Reader, contactId: string): string[] {
  const sql = `WITH RECURSIVE same (id) AS (
      VALUES (?)
      UNION SELECT trash.id FROM same CROSS JOIN ${indexed('trash', 'trash_merged_into')}
        ON trash.workspace_id = :workspace AND merged_into = same.id AND trash.type = 'contact')
    SELECT DISTINCT item.value ->> 'email' FROM same CROSS JOIN change INDEXED BY change_record_id
      ON change.workspace_id = :workspace AND record_id = unhex(replace(same.id, '-', ''))
    CROSS JOIN json_each(previous, '$.emails') AS item`
  return withoutOwner(reader, reader.values<string>(sql, contactId).map(emailKey))
}

/** Those of some addresses that neither a user nor an undeleted contact has. */
export function withoutOwner(reader: Reader, addresses: readonly string[]): string[] {
  const sql = `SELECT value FROM json_each(?)
    WHERE value NOT IN (SELECT email_key FROM workspace_user WHERE workspace_id = :workspace)
      AND NOT EXISTS (SELECT 1 FROM contact_email
        CROSS JOIN contact ON contact.workspace_id = :workspace AND contact.id = contact_id AND deleted_at IS NULL
        WHERE contact_email.workspace_id = :workspace AND email_key = value)`
  return reader.values<string>(sql, JSON.stringify(addresses))
}
