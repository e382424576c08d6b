import { parseFilter } from '../data/filters.ts'
import { queryOf } from '../data/find.ts'
import type { Query } from '../data/http.ts'
import { type ListState, parametersOf } from '../data/list-state.ts'
import type { Row } from '../data/resource-views.ts'
import { inStages, type ListFilters } from '../deals/deal-links.ts'
import { pipelineField } from '../deals/pipelines.ts'
import { type SavedView, viewParameter } from '../saved-views/saved-views.ts'
import { href } from '../session/place.ts'

const stageField = 'stage_id'

/** The API's parameters for the deals on the board. Filters on stages, and the pipeline unless a view may name another one, choose the columns. */
export function boardQuery({ q, ...state }: ListState): Query {
  const hasView = state.filters[viewParameter] !== undefined
  const filters = Object.entries(state.filters).filter(([name]) => {
    const { field } = parseFilter(name)
    return field !== stageField && (field !== pipelineField || hasView)
  })
  const { page: _, ...query } = parametersOf('deal', { ...state, q, sort: '', filters: Object.fromEntries(filters) })
  return { ...query, q: queryOf(q.trim()) }
}

/** The stages of the kind that the address names, and that its filters on stages leave. */
export function stagesShown(stages: readonly Row[], { show, filters }: ListState): Row[] {
  const ofKind = stages.filter(({ kind }) => !kinds.includes(show) || kind === show)
  const conditions = Object.entries(filters).filter(([name]) => parseFilter(name).field === stageField)
  return ofKind.filter(({ id }) => conditions.every(([name, value]) => leaves(parseFilter(name).operator, value, id)))
}

function leaves(operator: string, value: string, id: string): boolean {
  const ids = value.split(',')
  return operator === 'ne' ? !ids.includes(id) : ids.includes(id)
}

/** The search and the filters of the address, and the stages of a chosen kind, as the list of deals has them. */
export function shownIn(state: ListState, stages: readonly Row[]): ListFilters {
  const { q, filters, show } = state
  const others = Object.entries(filters).filter(([name]) => parseFilter(name).field !== stageField)
  const shown = kinds.includes(show)
    ? { ...Object.fromEntries(others), ...inStages(stagesShown(stages, state)) }
    : filters
  return { ...shown, ...(q !== '' && { q }) }
}

/** The pipeline that the address names, or else its view. */
export function askedPipeline({ filters }: ListState, view: SavedView | undefined): string | undefined {
  const kept = new URLSearchParams(view?.filter ?? '')
  return filters[pipelineField] ?? kept.get(`filter[${pipelineField}]`) ?? kept.get(pipelineField) ?? undefined
}

/** The address of the board of a pipeline, with the other filters. */
export function boardHref({ q, show, filters }: ListState, { id }: Row): string {
  const others = Object.entries(filters).filter(([name]) => parseFilter(name).field !== stageField)
  const query = { ...(q && { q }), ...(show && { show }), ...Object.fromEntries(others), [pipelineField]: id }
  return href(`/pipeline?${new URLSearchParams(query)}`)
}

/** The kinds of stages. */
export const kinds = ['open', 'won', 'lost']
