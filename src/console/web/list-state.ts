import { useLocation } from 'preact-iso/router'

/** What a list shows, as it stands in the address: a link and the way back lead to the same rows. */
export interface ListState {
  q: string
  in: string
  sort: string
  page: number
  /** Operators belong to the name: `created_at[gte]`. */
  filters: Record<string, string>
}

const own = ['q', 'in', 'sort', 'page']

export function useListState(): [ListState, (change: Partial<ListState>) => void] {
  const { path, query, route } = useLocation()
  const state: ListState = {
    q: query.q ?? '',
    in: query.in ?? '',
    sort: query.sort ?? '',
    page: Math.max(1, Number(query.page) || 1),
    filters: Object.fromEntries(Object.entries(query).filter(([name]) => !own.includes(name))),
  }
  /** Anything but another page begins at the first. */
  const change = (given: Partial<ListState>) => {
    const { filters, page, ...rest } = { ...state, page: 1, ...given }
    const entries = Object.entries({ ...rest, ...filters, page: page > 1 ? String(page) : '' })
    const text = new URLSearchParams(entries.filter(([, value]) => value !== '')).toString()
    route(text ? `${path}?${text}` : path, true)
  }
  return [state, change]
}

/** The state as the API's parameters. */
export function parametersOf({ q, sort, page, filters }: ListState, searched: string): Record<string, string> {
  return {
    ...filters,
    ...(q.trim() !== '' && { [`${searched}[like]`]: q.trim() }),
    ...(sort !== '' && { sort: sort.startsWith('-') ? `${sort.slice(1)}:desc` : `${sort}:asc` }),
    page: String(page),
  }
}
