import type { Reader, Writer } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import type { Declared } from './declared.ts'
import type { DeclaredType } from './types.ts'

// The values of declared fields in the search index: those whose type holds text (decision J3).

const searchedTypes: readonly DeclaredType[] = ['text', 'url', 'email', 'phone', 'choice']

/** Whether the search compares the values of a declared field. */
export function isSearched({ type }: Pick<Declared, 'type'>): boolean {
  return searchedTypes.includes(type)
}

/** Distinguishes the pieces of a declared field from those of others. What is left of a former field is compared, and not found. */
export function markOfDeclared(number: number): string {
  return `g${number}`
}

/** A SQL expression for the text that a record has under a key. A key has letters, digits and underscores. */
export function valueIn(table: string, key: string): string {
  return `${table}.metadata ->> '$."${key}"'`
}

/** Marks a record for the search index. */
export function markPending({ name }: Resource, tx: Writer, id: string): void {
  tx.run('INSERT OR IGNORE INTO search_pending (workspace_id, resource, id) VALUES (:workspace, ?, ?)', name, id)
}

/** The texts of declared fields that the search index has of a record, as expressions with marks. The rank of a choice is no text. */
export function searchedValues(name: string, table: string, reader: Reader): Text[] {
  const sql = `SELECT number, key, type FROM field_index
    WHERE workspace_id = :workspace AND resource = ? AND field_id IS NOT NULL ORDER BY number`
  const declared = reader.rows<Pick<Declared, 'number' | 'key' | 'type'>>(sql, name).filter(isSearched)
  return declared.map(({ number, key, type }) => {
    const text = type === 'choice' ? valueIn(table, key) : 'key'
    const value = `(SELECT ${text} FROM field_value
      WHERE workspace_id = :workspace AND field = ${number} AND record_id = ${table}.id AND key IS NOT NULL)`
    return {
      mark: markOfDeclared(number),
      sql: value,
      starts: true,
      ...(type === 'choice' && { unfolded: true as const }),
    }
  })
}

interface Text {
  mark: string
  sql: string
  /** Whether the text is not folded yet. */
  unfolded?: true
  /** Words of one or two characters find it, too. */
  starts: true
}
