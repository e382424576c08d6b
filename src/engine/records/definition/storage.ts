import type { Writer } from '../../../store/reader.ts'
import type { Row } from './change.ts'

/** Writes the rows of a resource that another module stores. */
export interface Storage {
  /** Inserts a row. Returns the members that only the response to this request shows. */
  insert(tx: Writer, id: string, row: Row): Readonly<Record<string, string>>
  /** Updates a row. `changes` are by column. */
  update(tx: Writer, id: string, changes: Row): void
}
