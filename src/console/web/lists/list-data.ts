import { useEffect, useRef } from 'preact/hooks'
import { busyFor } from '../data/busy.ts'
import { derivedFields, withDerived } from '../data/derived-values.ts'
import { queryOf } from '../data/find.ts'
import { list, type Page, type Query } from '../data/http.ts'
import { type ChangeList, type ListState, parametersOf } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { includeOf, type Row } from '../data/resource-views.ts'
import { type Loaded, useData } from '../data/use-data.ts'
import type { SavedView } from '../saved-views/saved-views.ts'
import { useChanged } from '../saved-views/use-views.ts'
import { resourceOf } from '../session/session.ts'

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
  pages: Page<Row>[]
}

/** The address parameters that hold the page of each part. */
export const pageNames = ['page', 'rest'] as const

interface ListOptions {
  /** The parts of the list; default: one. */
  partsOf?: () => Query[]
  /** The columns that are shown; default: the usual ones. */
  columns?: readonly string[]
  /** The view that the address names, once it is known. */
  view?: SavedView | undefined
}

/** Loads what a list shows: a page of each of its one or two parts, each with its own filters and order. A page after the last leads to the last. */
export function useListData(
  of: string,
  state: ListState,
  change: ChangeList,
  { partsOf = () => [{}], columns, view }: ListOptions = {},
): Loaded<ListData> {
  const include = includeOf(of, columns)
  const path = `/${resourceOf(of).path}`
  const text = state.q.trim()
  const loadedText = useRef(text)
  const load = async (signal: AbortSignal): Promise<ListData> => {
    if (text !== '' && text !== loadedText.current) await new Promise<void>((resolve) => busyFor(typingMs, resolve))
    loadedText.current = text
    const loadPart = async (part: Query, at: number): Promise<Page<Row>> => {
      const page = state[pageNames[at]!]
      const query = { ...part, ...parametersOf(of, state), q: queryOf(text), include, limit: pageSize, page }
      const found = await list<Row>(path, query, signal)
      return { ...found, data: await withDerived(of, found.data, columns) }
    }
    const pages = await Promise.all(partsOf().map(loadPart))
    return { key, searched: text !== '', narrowed: text !== '' || Object.keys(state.filters).length > 0, pages }
  }
  const key = JSON.stringify({ ...state, q: text })
  const derived = derivedFields(of).filter(({ name }) => columns?.includes(name))
  const loaded = useData(load, [path, key, include, derived.length])
  const shown = [of, ...resourceOf(of).fields.flatMap(({ target }) => target ?? [])]
  useNews(({ resource }) => shown.includes(resource), loaded.refresh)
  useChanged(view, loaded.reload)
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
