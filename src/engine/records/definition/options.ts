import type { DetailCode } from '../../../errors.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Items, Row } from './change.ts'

// What a definition may state beside its fields.

/** What else there is for the records that people work with. */
export interface Offers {
  /** Members of their metadata can be declared (decision J3). Default: if they have metadata. */
  readonly fields: boolean
  /** Their lists can be saved as views (decision J7). */
  readonly views: boolean
  /** Webhooks can deliver their changes (decision H1). */
  readonly events: boolean
  /** They can be imported in bulk (decision D6). */
  readonly imports: boolean
  /** Their lists can be read as files (decision K1). */
  readonly files: boolean
  /** What agents may do with them. */
  readonly agents: 'write' | 'read' | 'none'
}

/** A further endpoint of one record: a patch with a path of its own. */
export interface Action<F extends string = string> {
  /** The last part of the endpoint's path, after that of the record: `complete`. */
  readonly path: string
  /** The field that its body must have; default: it takes no body. */
  readonly takes?: F
  /** The operation's name in generated clients. */
  readonly id: string
  readonly summary: string
  /** Values of the example response that differ from the example record. */
  readonly shows: Readonly<Partial<Record<F, unknown>>>
  /** Converts the body to the fields to patch. Throws ApiError. */
  readonly patch: (body: Record<string, unknown>) => Partial<Record<F, unknown>>
}

/** Writes the rows of a resource that another module stores. */
export interface Storage {
  /** Inserts a row. Returns the members that only the response to this request shows. */
  insert(tx: Writer, id: string, row: Row): Readonly<Record<string, string>>
  /** Updates a row. `changes` are by column. */
  update(tx: Writer, id: string, changes: Row): void
}

/** What the search over all resources compares and shows of a record (decision J1). */
export interface SearchOptions {
  /** Fields of the record, and item filters. */
  readonly fields: readonly string[]
  /** Those that name a record; default: `title`. */
  readonly names?: readonly string[]
  /** Those whose complete values identify a record. */
  readonly exact?: readonly string[]
  /** The fields and relations that describe a record below its name. */
  readonly subtitle: readonly string[]
}

/** What records have in common that may be the same. */
export interface DuplicateReason<F extends string = string> {
  /** The name of an item filter, of a field, or of `fields`. */
  readonly by: string
  /** The fields that are compared together; default: the item filter or field of that name. */
  readonly fields?: readonly F[]
  /** Only records with the same value of this field are compared. */
  readonly within?: F
  /** Only texts of this shape, as SQLite's GLOB has it, are compared; default: every text. */
  readonly shape?: string
}

/** `items`: the items and links that the record gets by the same change. `planned`: what other records will be before it, by id; null: deleted. */
export type Has = (
  reader: Reader,
  record: { readonly id: string; readonly after: Row; readonly items: Items },
  planned: ReadonlyMap<string, Row | null>,
) => boolean

/** A reference that a record gets only if it has the fields that the target's list `requires` names (decision T5). `F` are the names of the references. */
export interface Entry<F extends string = string> {
  readonly by: F
  readonly requires: string
  /** What the list can name besides filters and declared fields, and whether a record has it. */
  readonly also?: Readonly<Record<string, { label: string; has: Has }>>
}

/** A filter `true` or `false` that is evaluated when a list is read, because it depends on other records and on the time. In both texts, `?` is the time. */
export interface Computed {
  /** A SQL condition on a record of the table. */
  readonly holds: string
  /** SQL that selects the ids of the undeleted records for which it holds, by an index. */
  readonly records: string
  /** The values of the `?` of each; default: the time of the read. */
  readonly params?: readonly string[]
  readonly about: string
}

/** What a number that is money means. `F` are the names of the fields. */
export interface Amount<F extends string = string> {
  /** The field of its currency. */
  readonly currency: string
  /** The reference to the record with that field; default: the record itself. */
  readonly of?: F
  /** The field by which its sums are weighted, in percent. */
  readonly probability?: F
}

/** What amounts are worth in one currency. */
export interface Rates {
  readonly currency: string
  /** The decimal places of its smallest unit. */
  readonly places: number
  /** The value of one unit of each currency that has a rate, itself included, as the text of a decimal: `{ EUR: '1', USD: '0.95' }`. */
  readonly of: Readonly<Record<string, string>>
}

/** The amount that summaries add up in one currency, and the rates at a time. `F` are the names of the fields. */
export interface ConversionOptions<F extends string = string> {
  readonly of: F
  readonly rates: (reader: Reader, nowMs: number) => Rates
}

/** The time from one timestamp of a record to another one. `T` are the names of its fields. */
export interface Duration<T extends string = string> {
  readonly from: T
  readonly to: T
}

/** A field of the record that the reference `by` leads to. `F` are the names of the references. */
export interface Through<F extends string = string> {
  readonly by: F
  readonly field: string
}

/** An error of an item of a body, or between items. */
export interface ItemFault {
  index: number
  field: string
  code: DetailCode
  message: string
}
