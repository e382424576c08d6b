import type { Actor } from './change-log.ts'
import type { Reader } from './reader.ts'

export interface NamedActor extends Actor {
  /** The current name of the key or the user. */
  readonly name: string
}

const fixedNames: Readonly<Record<string, string>> = { operator: 'Command line', system: 'Kontor', import: 'Import' }

const namesSql: Readonly<Record<string, string>> = {
  api_key: 'SELECT name FROM workspace_api_key WHERE workspace_id = :workspace AND id = ?',
  user: 'SELECT full_name FROM workspace_user WHERE workspace_id = :workspace AND id = ?',
}

export function nameActor(reader: Reader, { type, id }: Actor): NamedActor {
  const sql = namesSql[type]
  const name = sql === undefined ? undefined : reader.value<string>(sql, id)
  return { type, id, name: name ?? fixedNames[type] ?? '' }
}
