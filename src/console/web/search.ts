import { list, type Page } from './http.ts'
import { resourceOf } from './session.ts'
import { type Row, views } from './views.ts'

type Query = Record<string, string | number | undefined>

/** Where a text may be found: in any of these fields, or its words in a first and a last name. */
interface Sought {
  text: string
  fields: readonly string[]
}

/**
 * Finds records by one text in several fields: a request for each, as the API has no "or", the first field's finds first.
 * There are no further pages; `has_more` says that not all are there.
 */
export async function search(of: string, sought: Sought, query: Query, signal: AbortSignal): Promise<Page<Row>> {
  const path = `/${resourceOf(of).path}`
  const pages = await Promise.all(looksFor(of, sought).map((look) => list<Row>(path, { ...query, ...look }, signal)))
  const found = new Map(pages.flatMap(({ data }) => data.map((row) => [row.id, row] as const)))
  const limit = Number(query.limit)
  const data = [...found.values()].slice(0, limit)
  const has_more = found.size > limit || pages.some(({ pagination }) => pagination.has_more)
  return { data, pagination: { total: data.length, limit, has_more, page: 1, total_pages: 1, next_cursor: null } }
}

/** The conditions of each request. */
function looksFor(of: string, { text, fields }: Sought): Query[] {
  const whole = fields.map((field) => ({ [`${field}[like]`]: text }))
  const [first, last] = views[of]?.fullName ?? []
  if (!first || !last || !fields.includes(first)) return whole
  const words = text.split(/\s+/)
  const parted = words.slice(1).map((_, at) => ({
    [`${first}[like]`]: words.slice(0, at + 1).join(' '),
    [`${last}[like]`]: words.slice(at + 1).join(' '),
  }))
  return [...parted.slice(0, partsMax), ...whole]
}

/** Ways to part a text into a first and a last name that are tried. */
const partsMax = 3
