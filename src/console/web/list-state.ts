import { useLocation } from 'preact-iso/router'

/** What a list shows, as it stands in the address: a link and the way back lead to the same rows. */
export interface ListState {
  /** What is searched for. */
  q: string
  sort: string
  page: number
  /** Operators belong to the name: `created_at[gte]`. */
  filters: Record<string, string>
}

const own = ['q', 'sort', 'page']

export function useListState(): [ListState, (change: Partial<ListState>) => void] {
  const { path, query, route } = useLocation()
  const state: ListState = {
    q: query.q ?? '',
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

/** The state as the API's parameters, but for the search. */
export function parametersOf({ sort, page, filters }: ListState): Record<string, string> {
  return {
    ...filters,
    ...(sort !== '' && { sort: sort.startsWith('-') ? `${sort.slice(1)}:desc` : `${sort}:asc` }),
    page: String(page),
  }
}
