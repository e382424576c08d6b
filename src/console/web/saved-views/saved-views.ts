import { parametersOfFilter, parseFilter } from '../data/filters.ts'
import { isGone, list, patch, post, remove } from '../data/http.ts'
import type { ListState } from '../data/list-state.ts'
import type { Once } from '../data/once.ts'
import { href } from '../session/place.ts'
import { fieldOf, resourceOf } from '../session/session.ts'

/** A saved view, as the API shows it. */
export interface SavedView {
  id: string
  name: string
  resource: string
  description: string | null
  filter: string | null
  sort: string | null
  columns: string[] | null
  layout: Layout
  visibility: string
  broken: boolean
  updated_at: string
}

export type Layout = 'list' | 'board'

/** What the address adds to a view, and how the list is shown. */
export interface Shown {
  of: string
  state: ListState
  /** The view that is shown, if any. */
  chosen: SavedView | undefined
  /** The names of the columns; undefined if the page has none. */
  columns: readonly string[] | undefined
}

/** The name under which the address has the id of the view. */
export const viewParameter = 'view'

/** The most that a page of the API has. A user can have as many personal views, and everyone as many shared ones. */
const pageMax = 100

/** Whether the lists of a resource can be saved. */
export function hasViews(of: string): boolean {
  return fieldOf('view', 'resource').options!.includes(of)
}

/** The views of a resource, or of all, by name: the user's own, then the shared ones. Usually one page has all of them. */
export async function listViews(of: string | undefined, signal: AbortSignal): Promise<SavedView[]> {
  const load = (page: number) => list<SavedView>(path(), { resource: of, sort: 'name', limit: pageMax, page }, signal)
  const first = await load(1)
  const rest = first.pagination.has_more ? (await load(2)).data : []
  const views = [...first.data, ...rest]
  return ['personal', 'shared'].flatMap((each) => views.filter(({ visibility }) => visibility === each))
}

/** Saves what a list shows as a new view. */
export function saveView(shown: Shown, given: { name: string; visibility: string }, once: Once): Promise<SavedView> {
  return post<SavedView>(path(), { ...queryOf(shown), ...given, resource: shown.of }, once)
}

/** Saves what a list shows in the view that it has been added to. */
export function updateView(shown: Shown & { chosen: SavedView }): Promise<SavedView> {
  return patch<SavedView>(`${path()}/${shown.chosen.id}`, queryOf(shown))
}

/** Changes a view. A view stays personal or shared, so the other kind is a new view, which replaces it. */
export async function changeView(view: SavedView, changed: Partial<SavedView>, once: Once): Promise<SavedView> {
  if (changed.visibility === undefined) return patch<SavedView>(`${path()}/${view.id}`, changed)
  const { name, resource, description, filter, sort, columns, layout } = view
  const copy = { name, resource, description, filter, sort, columns, layout, ...changed }
  const made = await post<SavedView>(path(), copy, once)
  await removeView(view)
  return made
}

/** Deletes a view. It may have been deleted meanwhile. */
export async function removeView({ id }: SavedView): Promise<void> {
  try {
    await remove(`${path()}/${id}`)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** Where a view is opened: deals have a board. */
export function placeOf({ id, resource, layout }: SavedView): string {
  const page = hasBoard(resource) && layout === 'board' ? '/pipeline' : resourceOf(resource).page
  return href(`${page}?${viewParameter}=${id}`)
}

export function hasBoard(of: string): boolean {
  return of === 'deal'
}

/** What the address adds to the view that is shown takes precedence, as in the list. */
function queryOf({ of, state: { filters, sort }, chosen: shown, columns }: Shown) {
  const added = Object.entries(filters)
    .filter(([name]) => name !== viewParameter)
    .flatMap(([name, value]) => parametersOfFilter(of, name, value))
  const kept = keptOf(
    shown,
    added.map(([name]) => name),
  )
  const filter = new URLSearchParams([...kept, ...added]).toString()
  const order = sort === '' ? (shown?.sort ?? null) : sort.startsWith('-') ? sort : `${sort}:asc`
  return { filter: filter || null, sort: order, columns: columns ?? shown?.columns ?? null }
}

/** The filters of a view on fields that no other parameter filters by. */
function keptOf(view: SavedView | undefined, others: readonly string[]): [name: string, value: string][] {
  const replaced = others.map((name) => parseFilter(shortName(name)).field)
  const own = [...new URLSearchParams(view?.filter ?? '')]
  return own.filter(([name]) => !replaced.includes(parseFilter(shortName(name)).field))
}

/** The conditions that a view adds to those of an address, by the names that addresses use. */
export function conditionsOf(view: SavedView | undefined, others: readonly string[]): [name: string, value: string][] {
  return keptOf(view, others).map(([name, value]) => [shortName(name), value])
}

function path(): string {
  return `/${resourceOf('view').path}`
}

/** `value[gte]` for `filter[value][gte]`, which means the same. */
function shortName(parameter: string): string {
  return parameter.replace(/^filter\[([\w.]+)\]/, '$1')
}
