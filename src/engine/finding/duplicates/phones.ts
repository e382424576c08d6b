import type { Reader } from '../../../store/reader.ts'
import type { Compared } from './compared.ts'
import { type DuplicateGroup, readGroup, type Wanted } from './group.ts'

/** Numbers whose last digits differ are never the same. A shorter number in national notation is only equal to itself. */
const lastDigits = 7

/**
 * Groups of telephone numbers of a company whose country is known: a national number is the same as its international one (decision K7).
 * To parse a number takes some 20 µs, so only those are parsed that share their last digits with another one.
 */
export async function phoneGroups(
  reader: Reader,
  compared: Compared,
  country: string,
  { after: [after = ''], max, alive }: Wanted,
): Promise<DuplicateGroup[]> {
  const { comparisonKey, isPhoneCountry } = await import('../../records/phones/phone-numbers.ts')
  const numberOf = isPhoneCountry(country) ? (key: string) => comparisonKey(key, country) : String
  const byNumber = Map.groupBy(similarKeys(reader, compared, alive), numberOf)
  const found: DuplicateGroup[] = []
  for (const number of [...byNumber.keys()].filter((each) => each > String(after)).sort()) {
    if (found.length === max) break
    const group = readGroup(reader, compared, { keys: byNumber.get(number)!, others: [] })
    if (group.count > 1) found.push({ ...group, place: [compared.reason, number] })
  }
  return found
}

function similarKeys(reader: Reader, { table, key, scope }: Compared, alive: string): string[] {
  const last = `substr(${key}, -${lastDigits})`
  const sql = `SELECT DISTINCT ${key} FROM ${table} WHERE ${scope} AND ${last} IN (
    SELECT ${last} FROM ${table} WHERE ${scope} AND ${alive} GROUP BY ${last} HAVING count(*) > 1)`
  return reader.values<string>(sql)
}
