import type { Migration } from '../migrate.ts'

/** The tables of the records whose fields could be declared. */
const tables = ['organization', 'contact', 'deal', 'stage', 'task', 'activity']

/** The code points that JavaScript's `trim` removes. */
const spaces = [9, 10, 11, 12, 13, 32, 160, 5760, 8232, 8233, 8239, 8287, 12_288, 65_279]
const wideSpaces = Array.from({ length: 11 }, (_, at) => 8192 + at)

/**
 * Values of declared fields are indexed trimmed. A field with values that have spaces around them is indexed again, in the background, as if
 * it had just been declared.
 */
export const trimmedValues: Migration = {
  version: 21,
  sql: tables.map(indexAgain).join('\n'),
}

function indexAgain(table: string): string {
  const value = `metadata ->> ('$."' || key || '"')`
  return `UPDATE field_index SET reached = ''
    WHERE resource = '${table}' AND type IN ('text', 'url', 'email', 'phone') AND field_id IS NOT NULL AND reached IS NULL AND EXISTS (SELECT 1 FROM ${table}
      WHERE ${table}.workspace_id = field_index.workspace_id AND ${table}.deleted_at IS NULL AND typeof(${value}) = 'text'
        AND ${value} <> trim(${value}, char(${[...spaces, ...wideSpaces].join()})));`
}
