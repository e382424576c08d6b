import type { CursorValue } from '../../../lib/cursor.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Compared } from './compared.ts'

/** The reason of a group, and what its records have in common. */
export type Place = [reason: string, ...values: CursorValue[]]

/** Records that may be the same. */
export interface DuplicateGroup {
  reason: string
  /** What they have in common, as the oldest of them has it. */
  value: string
  /** The number of records. */
  count: number
  /** The first of their ids, the oldest first. */
  ids: string[]
  place: Place
}

/** Which groups of a reason are wanted. */
export interface Wanted {
  /** The values of the group before the first. */
  after: readonly CursorValue[]
  max: number
  /** A condition on each row that reads: whether to go on. */
  alive: string
}

/** The maximum number of ids of a group. Its `count` is exact. */
export const groupIdsMax = 100

/** What the rows of a group have in common: one of these keys, and these values of the other expressions. */
interface Shared {
  keys: readonly string[]
  others: readonly CursorValue[]
}

/** Reads a group of rows that have something in common. */
export function readGroup(
  reader: Reader,
  { reason, table, indexed, key, others, live, id, value }: Compared,
  shared: Shared,
): Omit<DuplicateGroup, 'place'> {
  const equal = [`${key} IN (SELECT value FROM json_each(?))`, ...others.map((sql) => `${sql} = ?`)].join(' AND ')
  const rows = `FROM ${table} ${indexed} WHERE ${live} AND ${equal}`
  const params = [JSON.stringify(shared.keys), ...shared.others]
  // With `+`, SQLite does not read all records in the order of their ids to find those with a key.
  const ids = reader.values<string>(`SELECT DISTINCT +${id} ${rows} ORDER BY +${id} LIMIT ${groupIdsMax}`, ...params)
  const count =
    ids.length < groupIdsMax ? ids.length : reader.value<number>(`SELECT count(DISTINCT ${id}) ${rows}`, ...params)!
  const shown = reader.value<string>(`SELECT ${value} ${rows} AND ${id} = ? LIMIT 1`, ...params, ids[0] ?? null)
  return { reason, value: shown ?? '', count, ids }
}
