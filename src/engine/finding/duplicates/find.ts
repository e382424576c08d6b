import type { CursorValue } from '../../../lib/cursor.ts'
import type { Reader } from '../../../store/reader.ts'
import { phoneMarksOf } from '../../records/phones/phone-forms.ts'
import { groupNumbers, lastDigits } from '../../records/phones/same-numbers.ts'
import type { Reading } from '../reading.ts'
import type { Compared } from './compared.ts'
import { type DuplicateGroup, type Place, readGroup, type Wanted } from './group.ts'

/** A validated search for duplicates: plain data that any thread can run. */
export interface DuplicateSearch {
  compared: Compared[]
  limit: number
  /** The last group of the previous page. */
  after: Place | undefined
}

/** Calls `alive()` for one row in 256: for each, it would take longer than to read the row. */
const sometimesAlive = '(random() & 255 OR alive())'

/** The groups of a page in the order of their reasons and values, and one more if another page follows. */
export const duplicatesReading: Reading<DuplicateSearch, DuplicateGroup[]> = {
  name: 'search for duplicates',
  run: (reader, search, proceed) => findDuplicates(reader, search, proceed ? sometimesAlive : 'TRUE'),
}

function findDuplicates(reader: Reader, search: DuplicateSearch, alive: string): DuplicateGroup[] {
  const { compared, after, limit } = search
  const found: DuplicateGroup[] = []
  const first = after ? compared.findIndex(({ reason }) => reason === after[0]) : 0
  for (const each of compared.slice(first)) {
    const values = each.reason === after?.[0] ? after.slice(1) : []
    const wanted = { after: values, max: limit + 1 - found.length, alive }
    found.push(...(each.isPhone ? phoneGroups(reader, each, wanted) : groupsOf(reader, each, wanted)))
    if (found.length > limit) break
  }
  return found
}

function groupsOf(reader: Reader, compared: Compared, { after, max, alive }: Wanted): DuplicateGroup[] {
  const found: DuplicateGroup[] = []
  const [place = '', ...placeWithin] = after
  const isWithin = compared.others.length > 0
  const asked = isWithin ? max + 1 : max // the groups of the first key may be on the previous page
  for (const key of repeatedKeys(reader, compared, { from: `${isWithin ? '>=' : '>'} ?`, alive }, place, asked)) {
    const within = isWithin ? repeatedWithin(reader, compared, key, key === place ? placeWithin : [], max) : [[]]
    for (const others of within) {
      if (found.length === max) return found
      const place: Place = [compared.reason, key, ...others]
      found.push({ ...readGroup(reader, compared, { keys: [key], others }), place })
    }
  }
  return found
}

/** The keys that several records have, read in the order of their index. */
function repeatedKeys(
  reader: Reader,
  compared: Compared,
  { from, alive }: { from: string; alive: string },
  place: CursorValue,
  max: number,
): string[] {
  const { table, indexed, key, scope } = compared
  const sql = `SELECT ${key} FROM ${table} AS compared ${indexed} WHERE ${scope} AND ${alive} AND ${key} ${from}
    GROUP BY ${key} HAVING count(*) > 1 AND ${isRepeated(compared)} ORDER BY ${key} LIMIT ?`
  return reader.values<string>(sql, place, max)
}

/** A condition on the rows of a key of which there are several: whether several records are equal. */
function isRepeated({ table, key, id, others, scope, live }: Compared): string {
  if (others.length > 0) return `count(*) > count(DISTINCT ${others.join(' || char(0) || ')})`
  if (scope === live) return 'TRUE'
  return `(SELECT count(DISTINCT ${id}) FROM ${table} WHERE ${live} AND ${key} = compared.${key}) > 1`
}

/** Among the records with a key, the values of the other expressions that several of them have. */
function repeatedWithin(
  reader: Reader,
  { table, indexed, key, others, live, id }: Compared,
  value: string,
  after: readonly CursorValue[],
  max: number,
): CursorValue[][] {
  const names = others.map((_, at) => `other${at}`)
  const selected = others.map((sql, at) => `${sql} AS ${names[at]}`).join(', ')
  const next = after.length > 0 ? `AND (${others.join(', ')}) > (${after.map(() => '?').join(', ')})` : ''
  const sql = `SELECT ${selected} FROM ${table} ${indexed} WHERE ${live} AND ${key} = ? ${next}
    GROUP BY ${names.join(', ')} HAVING count(DISTINCT ${id}) > 1 ORDER BY ${names.join(', ')} LIMIT ?`
  const rows = reader.rows<Record<string, CursorValue>>(sql, value, ...after, max)
  return rows.map((row) => names.map((name) => row[name]!))
}

/** Groups of telephone numbers that are the same (decision K7). Only those are compared that share their last digits with another one. */
function phoneGroups(
  reader: Reader,
  compared: Compared,
  { after: [after = ''], max, alive }: Wanted,
): DuplicateGroup[] {
  const numbers = groupNumbers(similarKeys(reader, compared, alive), phoneMarksOf(reader))
  const byPlace = new Map(numbers.map((keys) => [placeOfNumber(keys), keys]))
  const found: DuplicateGroup[] = []
  for (const place of [...byPlace.keys()].filter((each) => each > String(after)).sort()) {
    if (found.length === max) break
    const group = readGroup(reader, compared, { keys: byPlace.get(place)!, others: [] })
    if (group.count > 1) found.push({ ...group, place: [compared.reason, place] })
  }
  return found
}

function placeOfNumber(keys: readonly string[]): string {
  return keys.map((key) => key.replace(/^\+/, '')).sort()[0]!
}

function similarKeys(reader: Reader, { table, key, scope }: Compared, alive: string): string[] {
  const last = lastDigits(key)
  const sql = `SELECT DISTINCT ${key} FROM ${table} WHERE ${scope} AND ${last} IN (
    SELECT ${last} FROM ${table} WHERE ${scope} AND ${alive} GROUP BY ${last} HAVING count(*) > 1)`
  return reader.values<string>(sql)
}
