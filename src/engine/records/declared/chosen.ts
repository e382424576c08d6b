import type { Reader, Writer } from '../../../store/reader.ts'
import type { Condition, Filter } from '../definition/filter.ts'
import { inValuesMax, listedValues, nullLiteral } from '../kinds/filters.ts'

// The options that records have of a field of choices: a row for each, so that the records with one are a range of an index. `field_value` has
// their ranks, too, as a JSON array, and the number of them as the key.

/** A field of choices: the number of its index, and its options in order. */
interface Choices {
  readonly number: number
  readonly options: readonly string[]
}

/** The ranks of the options in a value, in their order; undefined: it has none. */
export function ranksIn(value: unknown, options: readonly string[]): number[] | undefined {
  if (!Array.isArray(value)) return undefined
  const given = new Set(value.map((each) => (typeof each === 'string' ? each.trim() : each)))
  const ranks = options.flatMap((option, rank) => (given.has(option) ? [rank] : []))
  return ranks.length > 0 ? ranks : undefined
}

/** Replaces the options of a record. `former`, `ranks`: JSON arrays of ranks; null: none. */
export function replaceRanks(
  tx: Writer,
  { number }: Pick<Choices, 'number'>,
  id: string,
  { former, ranks }: { former: string | null; ranks: string | null },
): void {
  const remove = `DELETE FROM field_choice WHERE workspace_id = :workspace AND field = ? AND record_id = ?
    AND rank IN (SELECT value FROM json_each(?))`
  if (former !== null) tx.run(remove, number, id, former)
  const insert = `INSERT INTO field_choice (workspace_id, field, rank, record_id)
    SELECT :workspace, ?, value, ? FROM json_each(?)`
  if (ranks !== null) tx.run(insert, number, id, ranks)
}

/** Removes some of the options of a former field. Returns how many. */
export function clearRanks(tx: Writer, number: number, max: number): number {
  const some = `SELECT rank, record_id FROM field_choice WHERE workspace_id = :workspace AND field = ? LIMIT ?`
  const sql = `DELETE FROM field_choice WHERE workspace_id = :workspace AND field = ? AND (rank, record_id) IN (${some})`
  return tx.run(sql, number, number, max)
}

/** The number of records whose rows differ from their ranks. */
export function countWrongRanks(reader: Reader, number: number): number {
  const sql = `SELECT (SELECT count(*) FROM field_choice WHERE workspace_id = :workspace AND field = ?1
      AND NOT EXISTS (SELECT 1 FROM field_value JOIN json_each(text) ON value = rank
        WHERE field_value.workspace_id = :workspace AND field_value.field = ?1 AND field_value.record_id = field_choice.record_id))
    + (SELECT count(*) FROM field_value JOIN json_each(text) WHERE field_value.workspace_id = :workspace AND field = ?1
      AND NOT EXISTS (SELECT 1 FROM field_choice WHERE field_choice.workspace_id = :workspace AND field_choice.field = ?1
        AND rank = value AND field_choice.record_id = field_value.record_id))`
  return reader.value<number>(sql.replaceAll('?1', String(number)))!
}

/** The filter of choices: `eq` means that a record has the option, `in` any of several, `all` each of them, `none` none of them. */
export function choicesFilter(options: readonly string[]): Filter {
  return {
    operators: ['eq', 'in', 'all', 'none'],
    expected: `one of: ${options.join(', ')}`,
    fault: 'INVALID_VALUE',
    kind: 'choices',
    shape: { type: 'string', enum: options },
    pattern: options.join('|'),
    condition: ({ column }, operator, value) => {
      const asked = askedOf(options, operator, value)
      return asked && conditionOf(column, operator, asked)
    },
  }
}

/** What a filter asks for: ranks, and whether a record without any matches, too. */
interface Asked {
  ranks: number[]
  isNull: boolean
}

/** Undefined: the value is not valid. */
function askedOf(options: readonly string[], operator: string, value: string): Asked | undefined {
  const given = operator === 'eq' ? [value] : [...new Set(listedValues(value))]
  const isNull = ['eq', 'in'].includes(operator) && given.includes(nullLiteral)
  const named = isNull ? given.filter((each) => each !== nullLiteral) : given
  const ranks = named.map((each) => options.indexOf(each)).sort((a, b) => a - b)
  return ranks.includes(-1) || given.length > inValuesMax ? undefined : { ranks, isNull }
}

/** On the ranks that `field_value` has of a record. */
function conditionOf(column: string, operator: string, { ranks, isNull }: Asked): Condition {
  const some = `EXISTS (SELECT 1 FROM json_each(${column}) AS has WHERE has.value IN (SELECT value FROM json_each(?)))`
  const params = [JSON.stringify(ranks)]
  if (operator === 'none') return { sql: `NOT ${some}`, params }
  if (operator === 'all') {
    const missing = `EXISTS (SELECT 1 FROM json_each(?) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(ifnull(${column}, '[]'))))`
    return { sql: `NOT ${missing}`, params }
  }
  if (!isNull) return { sql: some, params }
  return ranks.length === 0
    ? { sql: `${column} IS NULL`, params: [] }
    : { sql: `(${column} IS NULL OR ${some})`, params }
}

/**
 * SQL that selects the ids of the records that a filter matches, each once. The ranks are written out, because they are few and known.
 * Undefined: the values are not valid.
 */
export function matchingChoices({ number, options }: Choices, operator: string, value: string): string | undefined {
  const asked = askedOf(options, operator, value)
  if (!asked) return undefined
  const { ranks, isNull } = asked
  const values = `SELECT record_id FROM field_value INDEXED BY field_value_key WHERE workspace_id = :workspace AND field = ${number}`
  const chosen = `FROM field_choice WHERE workspace_id = :workspace AND field = ${number} AND rank`
  if (operator === 'none')
    return `${values} AND ${conditionOf('text', operator, asked).sql.replace('?', `'${JSON.stringify(ranks)}'`)}`
  const [first, ...others] = ranks
  if (operator === 'all') {
    const each = others.map(
      (rank) => ` AND EXISTS (SELECT 1 FROM field_choice AS other WHERE other.workspace_id = :workspace
        AND other.field = ${number} AND other.rank = ${rank} AND other.record_id = field_choice.record_id)`,
    )
    return `SELECT record_id ${chosen} = ${first}${each.join('')}`
  }
  const none = `${values} AND key IS NULL`
  if (first === undefined) return none
  const any =
    others.length === 0
      ? `SELECT record_id ${chosen} = ${first}`
      : `SELECT DISTINCT record_id ${chosen} IN (${ranks.join(', ')})`
  return isNull ? `SELECT record_id FROM (${any} UNION ALL ${none})` : any
}
