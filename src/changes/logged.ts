import type { Rights } from '../access/author-rights.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Call, Caller } from '../engine/api/call/route.ts'
import type { JsonSchema } from '../engine/records/definition/about.ts'
import type { Row } from '../engine/records/definition/change.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer } from '../engine/records/describe.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** What holds for all changes that are undone together. */
export interface UndoManner {
  /** Whether to undo also what was changed again since. */
  force: boolean
  /** The newest change when the undo began: what the undo itself has changed since does not count as changed again. */
  begun: number
  /** Whether all changes of a key are undone. */
  byKey?: boolean
}

/** The changes of one record to undo. */
export interface UndoEntry extends UndoManner {
  resource: string
  recordId: string
  /** The numbers of the changes, oldest first. */
  seq: number[]
  /** Those of the changes that stay, because a merged record cannot come back. */
  stays?: readonly number[]
}

/** What the endpoints over the log need to know. */
export interface Logged {
  /** The resources that the log records. */
  readonly resources: readonly Resource[]
  /** Throws INSUFFICIENT_PERMISSIONS if the caller may not change records of a resource. */
  readonly requireWrite: (by: Rights, resource: Resource) => void
  /** The same for a record that returns from the trash. */
  readonly requireRestore: (caller: Caller, resource: Resource) => void
  /** Values that a record returns from the trash with, instead of those that it had. */
  readonly returningWith: (resource: Resource, reader: Reader, id: string) => Row
  /** The JSON text of a record as its own endpoint shows it. */
  readonly shownOf: (resource: Resource, reader: Reader, text: string) => string
  /** Throws INSUFFICIENT_PERMISSIONS if some of these records belong to other users, and only these and admins may change them. */
  readonly requireOwn: (by: Rights, reader: Reader, resource: Resource, ids: readonly string[]) => void
  /**
   * Searches what is stored of a record outside of its row and the log, which may take long. Returns what removes it, and what has been added
   * since, in the transaction that erases the record.
   */
  readonly findStored: (reader: Reader, recordId: string) => (tx: Writer) => void
  /** Removes what was responded to the changes of a record, of which something is erased. */
  readonly forgetSent: (tx: Writer, recordId: string) => void
  /** Removes the content that erasures have left, once they are on disk. */
  readonly removeErased: (call: Call) => Promise<void>
  /** Stores a job that undoes the changes of these records. */
  readonly queueUndo: (tx: Writer, entries: readonly UndoEntry[]) => ApiResponse
  /** Describes the response of `queueUndo`. */
  readonly receiptSchema: (doc: Describer) => JsonSchema
}
