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
