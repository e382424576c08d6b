import { list, type Page } from './http.ts'
import { type Condition, conditionsFor, includesFor, matcherFor, type Sought } from './search-terms.ts'
import { resourceOf } from './session.ts'
import type { Row } from './views.ts'

export type Query = Record<string, string | number | undefined>

/** Of one search, for one page: each answers up to `limitMax` records. */
const requestsMax = 40
const limitMax = 100

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
  const path = `/${resourceOf(of).path}`
  const [size, at] = [Number(limit), Number(page)]
  const wanted = size * at + 1
  const matches = matcherFor(of, sought)
  const shared = { ...query, include: includesFor(of, sought, query.include), limit: limitMax }
  const found = new Map<string, Row>()
  let [requests, exact] = [0, true]

  const ask = (condition: Condition, cursor?: string) => {
    requests++
    return list<Row>(path, { ...shared, ...condition, ...(cursor && { cursor }) }, signal)
  }
  const readOn = async (condition: Condition, first: Page<Row>) => {
    for (let answer = first; ; ) {
      for (const row of answer.data.filter(matches)) found.set(row.id, found.get(row.id) ?? row)
      const { next_cursor } = answer.pagination
      if (!next_cursor) return
      if (found.size >= wanted || requests >= requestsMax) {
        exact = false
        return
      }
      answer = await ask(condition, next_cursor)
    }
  }
  for (const conditions of conditionsFor(of, sought)) {
    if (found.size >= wanted) exact = false
    if (!exact) break
    const firsts = await Promise.all(conditions.map((condition) => ask(condition)))
    for (const [index, condition] of conditions.entries()) await readOn(condition, firsts[index]!)
  }
  return pageOf([...found.values()], at, size, exact)
}

function pageOf(found: Row[], page: number, limit: number, exact: boolean): Page<Row> & { exact: boolean } {
  const pagination = {
    total: found.length,
    limit,
    has_more: found.length > page * limit,
    page,
    total_pages: Math.ceil(found.length / limit),
    next_cursor: null,
  }
  return { data: found.slice((page - 1) * limit, page * limit), pagination, exact }
}
