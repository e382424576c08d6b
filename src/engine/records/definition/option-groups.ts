import type { Stamp } from './about.ts'
import type { Change } from './change.ts'
import type { Operator } from './filter.ts'
import type { Amount, Computed, ConversionOptions, DuplicateReason, Duration, Storage, Through } from './options.ts'

// The options of a definition, grouped by what they are about. `F` are the names of its fields, `U` those of its unshown columns.

/** How its records are listed. */
export interface ListOptions<F extends string, U extends string> {
  filters: readonly NoInfer<F | U | Stamp>[]
  sorts: readonly NoInfer<F | U | Stamp>[]
  pageSize: { default: number; max: number }
  /** The order of a list without `sort`; default: newest first (decision C4). */
  defaultSort?: NoInfer<F | Stamp> | `-${NoInfer<F | Stamp>}`
  /** A field of a related record, which comes before `defaultSort`. */
  defaultSortThrough?: Through<NoInfer<F>>
  /** The direction of a sort key that names none; default: ascending (decision C5). */
  sortDirection?: 'asc' | 'desc'
  /** Whether its filters are documented as `filter[name]`; default: as `name`. Both are accepted (decision C5). */
  nestsFilters?: boolean
  /** The operator of a filter that names none; default: `eq` (decision C6). */
  defaultOperators?: Readonly<Partial<Record<NoInfer<F>, Operator>>>
  /** Fields of related records, by which lists filter and group although records do not show them. */
  through?: Readonly<Record<string, Through<NoInfer<F>>>>
  /** Filters that depend on other records and on the time, by name. */
  computed?: Readonly<Record<string, Computed>>
  /** Filters that are never empty and have few values: the number of records with each value is kept with every write. */
  tallied?: readonly NoInfer<F>[]
}

/** What summaries measure. */
export interface SumOptions<F extends string, U extends string> {
  /** The number fields that are money. Sums are per currency. */
  amounts?: Readonly<Partial<Record<NoInfer<F>, Amount<NoInfer<F>>>>>
  /** One of the amounts that summaries add up in one currency, too: `converted:value` (decision T8). */
  conversion?: ConversionOptions<NoInfer<F>>
  /** The times from one timestamp to another one, whose median summaries measure in days: `median:days_to_close` (decision K10). */
  durations?: Readonly<Record<string, Duration<NoInfer<F | U | Stamp>>>>
}

/** By what its records are known, and how many there may be. */
export interface IdentityOptions<F extends string> {
  /** The fields whose values name a record for a reader; default: the first required field. */
  title?: readonly NoInfer<F>[]
  /** The fields that a relation to this resource shows; default: its id. */
  summary?: readonly NoInfer<F | Stamp | 'id'>[]
  /** A field whose value is unique among the undeleted records of a workspace, case-insensitively. */
  unique?: NoInfer<F>
  /** Whether `unique` compares the values as they are. */
  caseMatters?: boolean
  /** `unique` and `max` apply to the records that have the same value of this field; default: to all. */
  within?: NoInfer<F>
  /** The fields by which a record that exists is recognized: to create it again returns it. */
  same?: readonly NoInfer<F>[]
  /** The fields and item filters by which a body can be matched with a record (decision K2). */
  matchedBy?: readonly string[]
  /** What undeleted records have in common that may be the same (decision K5). Such records can be merged (decision K6). */
  duplicates?: readonly DuplicateReason<NoInfer<F>>[]
  /** The reference to the record that it is a part of: with that record it is deleted, restored and erased. */
  partOf?: NoInfer<F>
  /** The name by which `include` shows its parts in a record that they are parts of. */
  shownAs?: string
  /**
   * The field with the user to whom a record belongs. Such a record is not in the log, in snapshots and in the trash, and each user may
   * have `max` of them (decision J7). The resource's routes show it to nobody else.
   */
  ownedBy?: NoInfer<F>
  /** Whether its records belong to the company: they are stored in its live workspace, and the test workspace has the same ones. */
  ofCompany?: boolean
  /** A SQL condition on the undeleted records that a new reference may refer to; default: all (decision D2). */
  referable?: string
  /** The plan's limit on the number of records in a workspace. */
  limit?: string
  /** The maximum number of records in a workspace; beyond it, CONFLICT. */
  max?: number
}

/** How its rows are stored. */
export interface StorageOptions {
  /** The table or view of its records; default: the resource's name. */
  table?: string
  /** If `table` is a view: the table that finds a row by its id alone, once the id has been checked. */
  idTable?: string
  /** Whether `record_count` counts its records. */
  counted?: boolean
  /** The column with the bytes of a record's content, which `stored_bytes` sums up for the plan. */
  contentBytes?: string
  /** Writes its rows; default: the engine writes them. */
  storage?: Storage
  /** Whether records show `created_at` and `updated_at`; default: true. */
  stamped?: boolean
}

/** What the log of changes has of it. */
export interface LogOptions {
  /** Types of updates that the log tells from `updated`, by name, the most specific first: `{ completed: (change) => … }`. */
  events?: Readonly<Record<string, (change: Change) => boolean>>
  /** Whether updates are progress, which the log leaves out unless they are events. The log then stores complete records. */
  progressing?: boolean
  /** Whether its records follow a merge, and its undo, without scopes, limits and counts (common rules of files and messages). */
  followsAside?: boolean
  /** The fields that decide who sees a record, if not everybody does (store/visibility.ts). The log stores the record with their changes. */
  visibleBy?: readonly string[]
  /** The scopes of which a key needs one to see a change with these data; default: the scope that reads the resource. */
  changesReadBy?: (data: Readonly<Record<string, unknown>>) => readonly string[]
}
