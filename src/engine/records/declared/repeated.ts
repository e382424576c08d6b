import type { Reader } from '../../../store/reader.ts'
import type { Condition } from '../definition/filter.ts'
import { phoneMarksOf } from '../phones/phone-forms.ts'
import { groupNumbers, lastDigits } from '../phones/same-numbers.ts'
import type { Declared } from './declared.ts'
import { equalTo, type Indexed, sortedBy } from './types.ts'

/** Values of a declared field that several records have. */
interface Repeated {
  /** For each of the first ones, the condition on the columns of `field_value`. */
  values: Condition[]
  /** The number of records that have any of them. */
  records: number
}

/** The values that several records have, as `eq` compares them; the conditions of at most `max`. */
export function repeatedValues(reader: Reader, declared: Pick<Declared, 'number' | 'type'>, max: number): Repeated {
  const { number, type } = declared
  if (type === 'phone') return repeatedPhones(reader, number, max)
  const repeated = `${valuesOfField} GROUP BY ${sortedBy(type).join(', ')} HAVING count(*) > 1`
  const values = reader.rows<Indexed>(`SELECT key, text ${repeated} LIMIT ?`, number, max)
  const all = `SELECT ifnull(sum(records), 0) FROM (SELECT count(*) AS records ${repeated})`
  return {
    values: values.map((value) => equalTo(reader, type, value)),
    records: reader.value<number>(all, number)!,
  }
}

const valuesOfField = `FROM field_value INDEXED BY field_value_key
  WHERE workspace_id = :workspace AND field = ? AND key IS NOT NULL`

function repeatedPhones(reader: Reader, number: number, max: number): Repeated {
  const last = lastDigits('key')
  const sql = `SELECT key, count(*) AS records ${valuesOfField}
    AND ${last} IN (SELECT ${last} ${valuesOfField} GROUP BY ${last} HAVING count(*) > 1) GROUP BY key`
  const counts = new Map(
    reader.rows<{ key: string; records: number }>(sql, number, number).map(({ key, records }) => [key, records]),
  )
  const counted = groupNumbers(counts.keys(), phoneMarksOf(reader)).map((keys) => ({
    keys,
    records: keys.reduce((sum, key) => sum + counts.get(key)!, 0),
  }))
  const repeated = counted.filter(({ records }) => records > 1)
  return {
    values: repeated.slice(0, max).map(({ keys }) => ({
      sql: 'key IN (SELECT value FROM json_each(?))',
      params: [JSON.stringify(keys)],
    })),
    records: repeated.reduce((sum, { records }) => sum + records, 0),
  }
}
