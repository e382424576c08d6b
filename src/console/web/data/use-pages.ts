import { useEffect } from 'preact/hooks'
import { list, type Page, type Query } from './http.ts'
import { type Loaded, useData } from './use-data.ts'

/** A page of a list, loaded whenever `query` changes. If rows have left the list and it has become one after the last, `turn` gets the last one. */
export function usePages<T>(path: string, query: Query, turn: (page: number) => void): Loaded<Page<T>> {
  const loaded = useData((signal) => list<T>(path, query, signal), [path, JSON.stringify(query)])
  const { page = 1, total_pages = 1 } = loaded.data?.pagination ?? {}
  const last = Math.max(1, total_pages)
  useEffect(() => {
    if (page > last && !loaded.loading) turn(last)
  })
  return page > last ? { ...loaded, data: undefined, loading: true } : loaded
}
