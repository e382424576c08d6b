import type { SqlValue, Writer } from '../../store/reader.ts'

/** A record's stored values by field name. */
export type Row = Record<string, SqlValue>

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
