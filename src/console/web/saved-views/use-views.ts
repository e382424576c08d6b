import { useEffect, useRef } from 'preact/hooks'
import type { ListState } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { type Loaded, useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { hasViews, listViews, type SavedView, viewParameter } from './saved-views.ts'

/** The views of a list, and the one that its address names. */
export interface Views extends Loaded<SavedView[]> {
  /** The id in the address; '' if it has none. */
  id: string
  chosen: SavedView | undefined
  /** Whether the address names a view that is not loaded yet. */
  isAwaited: boolean
  /** Whether the address names a view that this user cannot use, or that does not exist. */
  isUnknown: boolean
}

/** Loads the views of a list. The log of changes has no personal ones, so they are loaded again when the user returns to the window. */
export function useViews(of: string, { filters }: ListState): Views {
  const has = hasViews(of)
  const views = useData(async (signal) => (has ? listViews(of, signal) : []), [of])
  useNews(({ resource }) => has && resource === 'view', views.refresh)
  useReturn(() => has && views.refresh())
  const id = (has && filters[viewParameter]) || ''
  const chosen = views.data?.find((each) => each.id === id)
  const isMissing = id !== '' && !chosen
  const isAwaited = isMissing && views.loading
  return { ...views, id, chosen, isAwaited, isUnknown: isMissing && !isAwaited && views.data !== undefined }
}

/** Calls `run` when a view is not what it was, but not when another one is chosen. */
export function useChanged(view: SavedView | undefined, run: () => void): void {
  const before = useRef(view)
  useEffect(() => {
    const known = before.current
    before.current = view
    if (known?.id === view?.id && known?.updated_at !== view?.updated_at) run()
  }, [view])
}
