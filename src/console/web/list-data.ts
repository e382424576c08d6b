import { useEffect, useRef } from 'preact/hooks'
import { list, type Page } from './http.ts'
import { type ChangeList, type ListState, parametersOf } from './list-state.ts'
import { useNews } from './news.ts'
import { type Query, search } from './search.ts'
import { resourceOf } from './session.ts'
import { type Loaded, useData } from './use-data.ts'
import { includeOf, type Row, viewOf } from './views.ts'

const pageSize = 50

/** How long to wait for further typing, in milliseconds. */
const typingMs = 200

export interface ListData {
  /** Identifies the list state that was loaded: the list may have changed since. */
  key: string
  searched: boolean
  /** Whether a search or filters restrict the list. */
  narrowed: boolean
  /** The page of each part of the list. */
  pages: ListPage[]
}

export interface ListPage extends Page<Row> {
  /** Whether the total is exact; if not, a search found at least that many. */
  exact: boolean
}

/** The address parameters that hold the page of each part. */
export const pageNames = ['page', 'rest'] as const

/** Loads what a list shows: a page of each of its one or two parts, each with its own filters and order. A page after the last leads to the last. */
export function useListData(
  of: string,
  state: ListState,
  change: ChangeList,
  partsOf: () => Query[] = () => [{}],
): Loaded<ListData> {
  const { search: fields } = viewOf(of)
  const include = includeOf(of)
  const path = `/${resourceOf(of).path}`
  const text = state.q.trim()
  const loadedText = useRef(text)
  const load = async (signal: AbortSignal): Promise<ListData> => {
    if (text !== '' && text !== loadedText.current) await new Promise((resolve) => setTimeout(resolve, typingMs))
    loadedText.current = text
    const loadPart = async (part: Query, at: number): Promise<ListPage> => {
      const page = state[pageNames[at]!]
      const query = { ...part, ...parametersOf(of, state), include, limit: pageSize, page }
      if (text !== '') return search(of, { text, fields }, query, signal)
      return { ...(await list<Row>(path, query, signal)), exact: true }
    }
    const pages = await Promise.all(partsOf().map(loadPart))
    return { key, searched: text !== '', narrowed: text !== '' || Object.keys(state.filters).length > 0, pages }
  }
  const key = JSON.stringify({ ...state, q: text })
  const loaded = useData(load, [path, key])
  const shown = [of, ...resourceOf(of).fields.flatMap(({ target }) => target ?? [])]
  useNews(({ resource }) => shown.includes(resource), loaded.refresh)
  const beyond = loaded.data && !loaded.loading && loaded.data.key === key ? lastPages(loaded.data) : {}
  const isBeyond = Object.keys(beyond).length > 0
  useEffect(() => {
    if (isBeyond) change(beyond, 'replace')
  })
  return isBeyond ? { ...loaded, data: undefined, loading: true } : loaded
}

/** The state with which each part whose page is after its last page shows the last page. */
function lastPages({ pages }: ListData): Partial<ListState> {
  const last = pages.flatMap(({ pagination: { page, total_pages } }, at) =>
    page > Math.max(1, total_pages) ? [[pageNames[at]!, Math.max(1, total_pages)]] : [],
  )
  return Object.fromEntries(last)
}
