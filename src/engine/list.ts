import { validationError } from '../errors.ts'
import { type CursorValue, openCursor, sealCursor } from '../lib/cursor.ts'
import type { Reader } from '../store/reader.ts'
import type { Resource } from './define.ts'
import { invalid } from './faults.ts'
import { findPage, type Page } from './page.ts'
import type { ListQuery } from './query.ts'

/** What seals the cursors of a list: the installation's secret, and the workspace they are for. */
export interface CursorSeal {
  secret: string
  workspaceId: number
}

/** A list's answer as JSON text. Throws VALIDATION_ERROR for a cursor that does not belong to this list. */
export function listText(resource: Resource, reader: Reader, query: ListQuery, seal: CursorSeal): string {
  const context = `${seal.workspaceId} ${resource.name} ${query.binding}`
  const page = findPage(resource, reader, query, placeOf(query, seal.secret, context))
  const more = page.texts.length > query.limit
  if (more) page.texts.pop()
  const nextCursor = () => {
    if (!more) return null
    return sealCursor(seal.secret, context, lastPlace(resource, reader, query, page))
  }
  const pagination = paginationOf(query, page.total, more, nextCursor)
  return `{"data":[${page.texts.join(',')}],"pagination":${JSON.stringify(pagination)}}`
}

function placeOf(query: ListQuery, secret: string, context: string): CursorValue[] | undefined {
  if (query.cursor === undefined) return undefined
  const place = openCursor(secret, context, query.cursor)
  if (place) return place
  const message = 'cursor is not valid here: take next_cursor of the last answer, with the same sort and filters'
  throw validationError([invalid('cursor', message, 'INVALID_FORMAT')])
}

/** Where every record's JSON text has its id: `{"id":"…"`. */
const idStart = 7
const idEnd = idStart + 36

function lastPlace(resource: Resource, reader: Reader, query: ListQuery, { texts }: Page): CursorValue[] {
  const id = texts.at(-1)!.slice(idStart, idEnd)
  if (query.order.length === 1) return [id]
  const columns = query.order.map(({ column }) => column)
  const sql = `SELECT ${columns.join(', ')} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ?`
  const row = reader.row<Record<string, CursorValue>>(sql, id)!
  return columns.map((column) => row[column]!)
}

function paginationOf(query: ListQuery, total: number, more: boolean, nextCursor: () => string | null) {
  const { limit, page, cursor } = query
  const counts = { total, limit, has_more: more }
  if (query.pagination === 'cursor') return { ...counts, cursor, next_cursor: nextCursor() }
  const pages = { ...counts, page, per_page: limit, total_pages: Math.ceil(total / limit) }
  return query.pagination === 'offset' ? pages : { ...pages, next_cursor: nextCursor() }
}
