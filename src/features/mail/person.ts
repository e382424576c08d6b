import { emailKey } from '../../lib/email.ts'
import type { Reader } from '../../store/reader.ts'

/** The address of nobody (RFC 6761). */
export const nowhere = 'erased@erased.invalid'
const blank = '[erased]'
const namesMax = 100

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
    const emails = 'SELECT email FROM contact_email WHERE workspace_id = :workspace AND contact_id = ?'
    const addresses = new Set(reader.values<string>(emails, contactId).map((each) => emailKey(each)))
    const own = [row.first_name, row.last_name].filter((name) => name !== null)
    return new Person([own.join(' '), own.toReversed().join(', '), ...own], addresses)
  }

  hasAddress(address: string): boolean {
    return this.#addresses.has(address)
  }

  /** The same person with further names. */
  named(names: readonly string[]): Person {
    return new Person([...names, ...this.#names].slice(0, namesMax), this.#addresses)
  }

  /** A text without its addresses and names, the longest first. */
  outOf(text: string): string {
    const known = [...this.#addresses, ...this.#names].filter((each) => each.trim().length > 1)
    if (known.length === 0) return text
    const parts = known
      .toSorted((a, b) => b.length - a.length)
      .map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
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
