import type { Detail } from '../../../errors.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Change, Removal, Row, Written } from './change.ts'

/** A flag that at most one record has, or one of those with the same value of `within`. */
interface Sole {
  readonly flag: string
  readonly within?: string
  /** Whether one record has it in any case: it loses it only to another one. */
  readonly isAlwaysSet?: boolean
}

/** The rules of a resource that its fields cannot state. */
export interface Rules {
  /** Errors between the fields of a new record's body. Each field is validated by itself before. */
  check?: (values: Readonly<Record<string, unknown>>) => Detail[]
  /** Rules between records. Runs in the transaction, before the row is written. */
  beforeWrite?: (change: Change) => void
  /** Runs in the transaction, after a new record has been written. Returns the members that only the response shows. */
  afterInsert?: (tx: Writer, id: string) => Readonly<Record<string, string>>
  /** Whether a write may take long, because its effects on other records are many: it is then made on another thread. */
  isLongWrite?: (reader: Reader) => boolean
  /** Throws CONFLICT if a record must not be deleted. `planned`: what other records will be before that, by id; null: deleted. */
  mayRemove?: (reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>) => void
  /** The fields whose values follow other records now: an undo keeps them. `planned`: as for `mayRemove`. */
  keptByUndo?: (reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>) => readonly string[]
  /** Why an undo must not give these fields their former values, if so. */
  refusesUndo?: (fields: Readonly<Record<string, unknown>>) => string | undefined
  /** What must change after an undo of several records. `former`: by id, the values that they had before, also of derived fields. */
  afterUndo?: (reader: Reader, former: ReadonlyMap<string, Row>) => readonly { id: string; changes: Row }[]
  /** By name, the field that another one, also an unshown one, goes with: an undo keeps both if that one was changed again since. */
  goesWith?: Readonly<Record<string, string>>
  /** Keeps what the rules see to: an undo takes such a flag from no record that has got it since, unless it is forced. */
  sole?: Sole
  /** Runs in the transaction, before a record is deleted. */
  beforeRemove?: (removal: Removal) => void
  /** Runs in the transaction, after each write of a row: what follows from it for others, such as a sum over children, belongs here. */
  afterWrite?: (written: Written) => void
  /** Findings about stored values that follow from other records, one sentence each; for `kontor check`. */
  verify?: (reader: Reader) => Iterable<string>
  /** Runs in the transaction, before a deleted record is erased: removes what is stored of it elsewhere. */
  beforeErase?: (tx: Writer, id: string) => void
  /** Throws CONFLICT if a deleted record, which would be `after`, must not be restored. */
  mayRestore?: (reader: Reader, after: Row) => void
  /** Completes a deleted record that is about to be restored. Throws CONFLICT if something is in its way. */
  beforeRestore?: (change: Change) => void
  /** Completes a record that a merge changes: the one that survives the `others`, or one that moves to it. */
  beforeMerge?: (change: Change, others: readonly Row[]) => void
}
