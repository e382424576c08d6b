import { useRef } from 'preact/hooks'
import { fieldOf, resourceOf } from '../session/session.ts'
import { parametersOfFilter } from './filters.ts'
import { usePlace } from './use-place.ts'

/** The state of a list. It is stored in the address, so that links and the Back button show the same rows. */
export interface ListState {
  /** The text to search for. */
  q: string
  /** The sort key; `-name` is descending. */
  sort: string
  /** The page number, from 1. */
  page: number
  /** The page of the second part, if the list has two. */
  rest: number
  /** The selected tab. */
  show: string
  /** The filters by name, including the operator: `created_at[gte]`. */
  filters: Record<string, string>
}

/** Adds an entry to the browser's history, or replaces the current one. */
export type ChangeList = (change: Partial<ListState>, how?: 'push' | 'replace') => void

const own = ['q', 'sort', 'page', 'rest', 'show']
const pages = ['page', 'rest']
const pageMax = 1e9

export function useListState(): [ListState, ChangeList] {
  const { path, query, url, route } = usePlace()
  const typed = useRef<string>(undefined)
  const state: ListState = {
    q: query.q ?? '',
    sort: query.sort ?? '',
    page: pageFrom(query.page),
    rest: pageFrom(query.rest),
    show: query.show ?? '',
    filters: Object.fromEntries(Object.entries(query).filter(([name]) => !own.includes(name))),
  }
  const change: ChangeList = (given, how = isTyping(given) ? typing() : 'push') => {
    const to = addressOf(path, state, given)
    if (isTyping(given)) typed.current = to
    if (to !== url) route(to, how === 'replace')
  }
  /** The first letter adds an entry, the others replace it. */
  const typing = () => (state.q !== '' || typed.current === url ? 'replace' : 'push')
  return [state, change]
}

/** The state as the API's parameters, without the search and the tab. */
export function parametersOf(of: string, { sort, page, filters }: ListState): Record<string, string> {
  const conditions = Object.entries(filters).flatMap(([name, value]) => parametersOfFilter(of, name, value))
  return {
    ...Object.fromEntries(conditions),
    ...(sort !== '' && { sort: sortText(of, sort) }),
    page: String(page),
  }
}

/** The field whose values group a list that is sorted by amounts of money: their currency; undefined: by something else. */
export function groupedBy(of: string, sort: string): string | undefined {
  const currency = fieldOf(of, sort.replace(/^-/, ''))?.currency
  return currency !== undefined && resourceOf(of).sorts.includes(currency) ? currency : undefined
}

/** Amounts in different currencies are not compared: those of each currency come together. */
function sortText(of: string, sort: string): string {
  const own = sort.startsWith('-') ? `${sort.slice(1)}:desc` : `${sort}:asc`
  const group = groupedBy(of, sort)
  return group === undefined ? own : `${group}:asc,${own}`
}

/** The address of a changed state. Every change except that of the page leads to the first page. */
function addressOf(path: string, state: ListState, given: Partial<ListState>): string {
  const turned = Object.keys(given).every((name) => pages.includes(name))
  const { filters, page, rest, ...texts } = { ...state, ...(!turned && { page: 1, rest: 1 }), ...given }
  const entries = Object.entries({ ...texts, ...filters, page: pageText(page), rest: pageText(rest) })
  const text = new URLSearchParams(entries.filter(([, value]) => value !== '')).toString()
  return text ? `${path}?${text}` : path
}

function isTyping(given: Partial<ListState>): boolean {
  return Object.keys(given).join() === 'q'
}

function pageText(page: number): string {
  return page > 1 ? String(page) : ''
}

/** Parses a page number. Any other text means the first page. */
function pageFrom(text = ''): number {
  return /^[1-9]\d*$/.test(text) ? Math.min(Number(text), pageMax) : 1
}
