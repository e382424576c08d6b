import { validationError } from '../errors.ts'
import { type CursorValue, openCursor, sealCursor } from '../lib/cursor.ts'
import type { Approached } from './approach.ts'
import type { Resource } from './define.ts'
import { invalid } from './faults.ts'
import { findPage, isQuick, type Listing, type Page } from './page.ts'
import { type ListQuery, readListQuery } from './query.ts'
import type { Answer, Call } from './route.ts'
import { recordJson } from './select.ts'

/**
 * Answers a list of what the query asks for and `also` lets the caller see. Throws VALIDATION_ERROR, also for a cursor that
 * does not belong to this list.
 */
export function list(resource: Resource, call: Call, also: Approached[] = []): Answer | Promise<Answer> {
  const { reader, caller, cursorSecret, findApart } = call
  const query = readListQuery(resource, call.query)
  const seal = { secret: cursorSecret, context: `${caller.workspaceId} ${resource.name} ${query.binding}` }
  const listing = listingOf(resource, { ...query, where: [...query.where, ...also] }, seal)
  const answer = (page: Page) => ({ status: 200, body: bodyOf(query, page, seal) })
  if (!findApart || isQuick(reader, listing)) return answer(findPage(reader, listing))
  return findApart(listing).then(answer)
}

/** What a list's cursors are sealed with (decision C3). */
interface Seal {
  secret: string
  context: string
}

function listingOf(resource: Resource, query: ListQuery, seal: Seal): Listing {
  const { name, table, counted } = resource
  const { where, order, limit, page = 1 } = query
  const json = recordJson(resource, query.includes)
  return { name, table, counted, json, where, order, limit, offset: (page - 1) * limit, place: placeOf(query, seal) }
}

function placeOf({ cursor }: ListQuery, { secret, context }: Seal): CursorValue[] | undefined {
  if (cursor === undefined) return undefined
  const place = openCursor(secret, context, cursor)
  if (place) return place
  const message = 'cursor is not valid here: take next_cursor of the last answer, with the same sort and filters'
  throw validationError([invalid('cursor', message, 'INVALID_FORMAT')])
}

function bodyOf(query: ListQuery, page: Page, { secret, context }: Seal): string {
  const nextCursor = page.last ? sealCursor(secret, context, page.last) : null
  return `{"data":[${page.records}],"pagination":${JSON.stringify(paginationOf(query, page, nextCursor))}}`
}

function paginationOf(query: ListQuery, { total, last }: Page, next_cursor: string | null) {
  const { limit, page, cursor } = query
  const counts = { total, limit, has_more: last !== undefined }
  if (query.pagination === 'cursor') return { ...counts, cursor, next_cursor }
  const pages = { ...counts, page, per_page: limit, total_pages: Math.ceil(total / limit) }
  return query.pagination === 'offset' ? pages : { ...pages, next_cursor }
}
