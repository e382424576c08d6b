import { list, type Page } from './http.ts'
import { type Condition, conditionsFor, includesFor, matcherFor, type SearchText } from './search-terms.ts'
import { resourceOf } from './session.ts'
import type { Row } from './views.ts'

export type Query = Record<string, string | number | undefined>

/** The maximum number of requests for one page of a search. Each returns up to `limitMax` records. */
const requestsMax = 40
const limitMax = 100
/** A pattern that matches more records than this is too vague and is ignored. */
const looseMax = 300

/**
 * Finds records that contain each word of a text in one of the fields, in any order and accent-insensitively. The API has no
 * "or" and is accent-sensitive, so the longest word is requested for each field, first unchanged, then with wildcards for letters
 * that may have an accent. The records are then compared here. Results keep the order of the requests, so that pages neither repeat nor
 * omit any. `exact`: all candidates were read, so `total` is exact.
 */
export async function search(
  of: string,
  searchText: SearchText,
  { page = 1, limit, ...query }: Query,
  signal: AbortSignal,
): Promise<Page<Row> & { exact: boolean }> {
  const [size, at] = [Number(limit), Number(page)]
  const reading: Reading = {
    path: `/${resourceOf(of).path}`,
    query: { ...query, include: includesFor(of, searchText, query.include), limit: limitMax },
    signal,
    matches: matcherFor(of, searchText),
    wanted: size * at + 1,
    requests: 0,
    found: new Map(),
    exact: true,
  }
  const { asTyped, loose } = conditionsFor(of, searchText)
  await readAll(reading, asTyped)
  if (reading.found.size < reading.wanted) await readAll(reading, loose, looseMax)
  else if (loose.length > 0) reading.exact = false
  return pageOf(reading, at, size)
}

interface Reading {
  path: string
  query: Query
  signal: AbortSignal
  matches: (row: Row) => boolean
  /** The number of results that is enough. */
  wanted: number
  /** The number of requests sent so far. */
  requests: number
  /** The results by their ids. */
  found: Map<string, Row>
  exact: boolean
}

/** Reads the records that match each condition. Ignores conditions that more than `candidatesMax` records match. */
async function readAll(reading: Reading, conditions: Condition[], candidatesMax = Number.POSITIVE_INFINITY) {
  const firsts = await Promise.all(conditions.map((condition) => ask(reading, condition)))
  for (const [index, condition] of conditions.entries()) {
    const first = firsts[index]!
    if (first.pagination.total <= candidatesMax) await readOn(reading, condition, first)
  }
}

async function readOn(reading: Reading, condition: Condition, first: Page<Row>): Promise<void> {
  const { found, matches, wanted } = reading
  for (let response = first; ; ) {
    for (const row of response.data.filter(matches)) found.set(row.id, row)
    const { next_cursor } = response.pagination
    if (!next_cursor) return
    if (found.size >= wanted || reading.requests >= requestsMax) {
      reading.exact = false
      return
    }
    response = await ask(reading, condition, next_cursor)
  }
}

function ask(reading: Reading, condition: Condition, cursor?: string): Promise<Page<Row>> {
  reading.requests++
  return list<Row>(reading.path, { ...reading.query, ...condition, cursor }, reading.signal)
}

function pageOf({ found, exact }: Reading, page: number, limit: number): Page<Row> & { exact: boolean } {
  const finds = [...found.values()]
  const pagination = {
    total: finds.length,
    limit,
    has_more: finds.length > page * limit,
    page,
    total_pages: Math.ceil(finds.length / limit),
    next_cursor: null,
  }
  return { data: finds.slice((page - 1) * limit, page * limit), pagination, exact }
}
