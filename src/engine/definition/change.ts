import type { Writer } from '../../store/reader.ts'
import type { Row } from './define.ts'

/** What is about to be written: `before` is undefined for a new record. `after` may be changed. */
export interface Change {
  readonly tx: Writer
  readonly id: string
  readonly before: Row | undefined
  /** What the caller gave: every field of a new record, the named ones of a patch. */
  readonly given: Row
  readonly after: Row
  readonly author: Author
}

/** Who creates a record. */
export interface Author {
  /** The console's user; null for an API key. */
  readonly userId: string | null
  /** Null for the console, and where the server itself writes. */
  readonly keyId: string | null
}

export const noAuthor: Author = { userId: null, keyId: null }
