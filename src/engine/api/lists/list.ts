import { validationError } from '../../../errors.ts'
import { type CursorValue, openCursor, sealCursor } from '../../../lib/cursor.ts'
import { nounsOf } from '../../../lib/plural.ts'
import type { PhoneForms } from '../../../lib/text.ts'
import { askedFormat, formatsOf, requireFormat } from '../../finding/export/formats.ts'
import type { Approached } from '../../finding/list/approach.ts'
import { askerOf, dependsOnAsker, forAsker } from '../../finding/list/asker.ts'
import type { Listing, Page } from '../../finding/list/page.ts'
import { pageReading } from '../../finding/list/page-reading.ts'
import { type ListQuery, rememberListQuery } from '../../finding/query/query.ts'
import { declaredOf } from '../../records/declared/declared.ts'
import { invalid } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { askedPhoneForms } from '../../records/phones/phone-forms.ts'
import { recordJson } from '../../records/select.ts'
import type { ApiResponse, NextPage } from '../call/http-response.ts'
import type { Call } from '../call/route.ts'
import { exportList } from './export.ts'
import { nextByCursor } from './next-page.ts'

/**
 * Lists the records that match the query and the conditions in `also`, which restrict what the caller may see, or exports them if the
 * client prefers a file. Throws VALIDATION_ERROR, also for a cursor of another list.
 */
export function list(resource: Resource, call: Call, also: Approached[] = []): ApiResponse | Promise<ApiResponse> {
  return listWith(askedPhoneForms(call.reader), resource, call, also)
}

/** Throws VALIDATION_ERROR for parameters that the list of a resource does not take, before something else is looked for (decision A5). */
export function checkListQuery(resource: Resource, { query, reader }: Pick<Call, 'query' | 'reader'>): void {
  rememberListQuery(resource, query, declaredOf(resource, reader), askedPhoneForms(reader))
}

function listWith(
  phones: PhoneForms,
  resource: Resource,
  call: Call,
  also: Approached[],
): ApiResponse | Promise<ApiResponse> {
  const format = askedFormat(call.headers.prefers, formatsOf(resource))
  if (format) return exportList(resource, call, { format, phones, also })
  requireFormat(call.headers.accepts, formatsOf(resource), nounsOf(resource))
  const { reader, caller, cursorSecret } = call
  const query = rememberListQuery(resource, call.query, declaredOf(resource, reader), phones)
  const seal = { secret: cursorSecret, context: `${caller.workspaceId} ${resource.name} ${query.binding}` }
  const where = forAsker([...query.where, ...also], askerOf(call))
  const listing = listingOf(resource, { ...query, where }, seal)
  const readOn = (ids: readonly string[]) => call.read(pageReading, { ...listing, ids })
  const response = (page: Page): ApiResponse => ({
    ...responseOf(page, pageOf(query, page, seal), readOn),
    ...(dependsOnAsker(query.where) && { personal: true }),
  })
  const page = call.read(pageReading, listing)
  return page instanceof Promise ? page.then(response) : response(page)
}

/** Reads the next part of a long page: some of the records with these ids. */
type ReadOn = (ids: readonly string[]) => Page | Promise<Page>

/** Where a page is in its list. */
interface Place {
  pagination: object
  next: NextPage | undefined
}

function responseOf(page: Page, { pagination, next }: Place, readOn: ReadOn): ApiResponse {
  const begin = '{"data":['
  const end = `],"pagination":${JSON.stringify(pagination)}}`
  const response = { status: 200, ...(next && { next }) }
  if (page.ids.length === 0) return { ...response, body: begin + page.records + end }
  return { ...response, body: '', parts: partsOf(begin, page, end, readOn) }
}

async function* partsOf(begin: string, page: Page, end: string, readOn: ReadOn): AsyncIterable<string> {
  yield begin + page.records
  for (let { ids } = page; ids.length > 0; ) {
    const part = await readOn(ids)
    ids = part.ids
    if (part.records !== '') yield `,${part.records}`
  }
  yield end
}

/** The seal of a list's cursors (decision C3). */
interface Seal {
  secret: string
  context: string
}

function listingOf(resource: Resource, query: ListQuery, seal: Seal): Listing {
  const { name, table, counted } = resource
  const { where, order, limit, page = 1 } = query
  const json = recordJson(resource, query.includes)
  const withItems = query.includes.some((include) => Object.hasOwn(resource.collections, include))
  const offset = (page - 1) * limit
  const place = placeOf(query, seal)
  return { name, table, counted, json, withItems, where, order, limit, offset, place, stoppable: false }
}

function placeOf({ cursor }: ListQuery, { secret, context }: Seal): CursorValue[] | undefined {
  if (cursor === undefined) return undefined
  const place = openCursor(secret, context, cursor)
  if (place) return place
  const message = 'cursor is not valid here: use next_cursor of the last response, with the same sort and filters'
  throw validationError([invalid('cursor', message, 'INVALID_FORMAT')])
}

function pageOf(query: ListQuery, { total, last }: Page, { secret, context }: Seal): Place {
  const { limit, page = 1, cursor } = query
  const next_cursor = last ? sealCursor(secret, context, last) : null
  const next = nextByCursor(next_cursor)
  const counts = { total, limit, has_more: last !== undefined }
  if (query.pagination === 'cursor') return { pagination: { ...counts, cursor, next_cursor }, next }
  const pages = { ...counts, page, per_page: limit, total_pages: Math.ceil(total / limit) }
  if (query.pagination === 'both') return { pagination: { ...pages, next_cursor }, next }
  return { pagination: pages, next: last && { name: 'page', value: page + 1 } }
}
