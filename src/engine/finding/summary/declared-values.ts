import type { Declared } from '../../records/declared/declared.ts'

// The values of declared fields in the statement of a summary (decision J4).

type Column = 'key' | 'text'

/** The name of a declared field's column in the statement. */
export function valueColumn({ number }: Pick<Declared, 'number'>, column: Column | 'id'): string {
  return `${column}_of_${number}`
}

/** Adds the values of declared fields to the records of `source`. Each undeleted record has a row of each. */
export function withValues(source: string, numbers: readonly number[], several: ReadonlySet<number>): string {
  const joins = [...new Set(numbers)].map((number) => {
    const values = several.has(number) ? optionsOf(number) : valuesOf(number, '')
    return ` CROSS JOIN (${values}) ON ${valueColumn({ number }, 'id')} = id`
  })
  return source + joins.join('')
}

/** The values of a declared field of all undeleted records, in their order. */
export function orderedValues(number: number): string {
  return `(${valuesOf(number, 'INDEXED BY field_value_key')})`
}

function valuesOf(number: number, by: string): string {
  const names = { record_id: 'id', key: 'key', text: 'text' } as const
  const columns = Object.entries(names).map(([column, name]) => `${column} AS ${valueColumn({ number }, name)}`)
  return `SELECT ${columns.join(', ')} FROM field_value ${by} WHERE workspace_id = :workspace AND field = ${number}`
}

/** The same for a field of choices: a row for each option of a record, or one without. */
function optionsOf(number: number): string {
  const columnOf = (name: Column | 'id') => valueColumn({ number }, name)
  return `SELECT record_id AS ${columnOf('id')}, option.value AS ${columnOf('key')}, NULL AS ${columnOf('text')}
    FROM field_value LEFT JOIN json_each(text) AS option WHERE workspace_id = :workspace AND field = ${number}`
}
