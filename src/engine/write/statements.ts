import { columnNames, sqlName } from '../definition/columns.ts'
import type { Field, Resource } from '../definition/resource.ts'

// The texts of statements on rows. They are remembered: a write takes less time than building them.

const texts = new Map<string, string>()

/** The columns of a row, and its JSON text. */
export function columnsOf({ table, fields }: Resource): string {
  return remembered(`row of ${table}`, () => [...Object.keys(fields).map(sqlName), 'record'].join(', '))
}

/** Inserts a row with these ids, such as `id` or `contact_id, id`. */
export function insertSql(table: string, ids: string, fields: Readonly<Record<string, Field>>): string {
  return remembered(table, () => {
    const names = columnNames(fields)
    const marks = names.map(() => ', ?').join('')
    const idMarks = ids.replace(/\w+/g, '?')
    return `INSERT INTO ${table} (workspace_id, ${ids}, ${names.join(', ')}) VALUES (:workspace, ${idMarks}${marks})`
  })
}

function remembered(name: string, build: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = build()
  texts.set(name, text)
  return text
}
