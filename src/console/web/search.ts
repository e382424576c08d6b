import { list, type Page } from './http.ts'
import { type Condition, conditionsFor, includesFor, matcherFor, type Sought } from './search-terms.ts'
import { resourceOf } from './session.ts'
import type { Row } from './views.ts'

export type Query = Record<string, string | number | undefined>

/** Of one search, for one page: each answers up to `limitMax` records. */
const requestsMax = 40
const limitMax = 100
/** A pattern for other accents that this many records fit says too little: it is left out. */
const looseMax = 300

/**
 * Finds records by a text: each of its words is in one of the fields, whatever the accents and the order of the words. The API has no
 * "or" and compares accents, so that the longest word is asked for in each field, first as it is, then with wildcards for letters
 * that may have an accent; what is answered is compared here. The finds keep the order of the requests, so that pages neither repeat nor
 * omit any. `exact`: everything was read, and `total` is how many there are.
 */
export async function search(
  of: string,
  sought: Sought,
  { page = 1, limit, ...query }: Query,
  signal: AbortSignal,
): Promise<Page<Row> & { exact: boolean }> {
  const [size, at] = [Number(limit), Number(page)]
  const reading: Reading = {
    path: `/${resourceOf(of).path}`,
    query: { ...query, include: includesFor(of, sought, query.include), limit: limitMax },
    signal,
    matches: matcherFor(of, sought),
    wanted: size * at + 1,
    requests: 0,
    found: new Map(),
    exact: true,
  }
  const { asTyped, loose } = conditionsFor(of, sought)
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
  /** So many finds are enough. */
  wanted: number
  /** Sent so far. */
  requests: number
  /** By their ids. */
  found: Map<string, Row>
  exact: boolean
}

/** Reads what fits each of some conditions, but for those that more than `candidatesMax` records fit. */
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
