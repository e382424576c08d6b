import type { SqlValue, Writer } from '../../../store/reader.ts'

/** A record's stored values by field name. */
export type Row = Record<string, SqlValue>

/** Items and links of a record, by the names of their collections and links. */
export type Items = Readonly<Record<string, readonly Row[]>>

/** A write that is about to happen. */
export interface Change {
  readonly tx: Writer
  readonly id: string
  /** Undefined for a new record. */
  readonly before: Row | undefined
  /** The values of the request: every field of a new record, the named fields of a patch. */
  readonly given: Row
  /** The values that will be stored. A rule may change them. */
  readonly after: Row
}

/** A record that is about to be deleted. */
export interface Removal {
  readonly tx: Writer
  readonly id: string
  readonly before: Row
}

/** A write that has happened, by whatever way: a request, a merge, an undo, another record's rule. */
export interface Written {
  readonly tx: Writer
  readonly id: string
  /** Undefined for a record that is new or restored. */
  readonly before: Row | undefined
  /** Undefined for a record that is deleted. */
  readonly after: Row | undefined
  /** Whether the record returns from the trash. */
  readonly isRestored?: boolean
  /** Whether a part leaves with its whole, or is not the last one to return with it: a sum of the whole need not follow yet. */
  readonly isWithWhole?: boolean
}
