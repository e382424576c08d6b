import { parseFilter } from '../data/filters.ts'
import { queryOf } from '../data/find.ts'
import type { Query } from '../data/http.ts'
import { type ListState, parametersOf } from '../data/list-state.ts'
import type { Row } from '../data/resource-views.ts'

const stageField = 'stage_id'

/** The API's parameters for the deals on the board. Filters on stages choose the columns instead. */
export function boardQuery({ q, ...state }: ListState): Query {
  const filters = Object.entries(state.filters).filter(([name]) => parseFilter(name).field !== stageField)
  const { page: _, ...query } = parametersOf('deal', { ...state, q, sort: '', filters: Object.fromEntries(filters) })
  return { ...query, q: queryOf(q.trim()) }
}

/** The stages of the kind that the address names, and that its filter on stages names. */
export function stagesShown(stages: Row[], { show, filters }: ListState): Row[] {
  const { [stageField]: chosen } = filters
  const ofKind = stages.filter(({ kind }) => !kinds.includes(show) || kind === show)
  return chosen ? ofKind.filter(({ id }) => chosen.split(',').includes(id)) : ofKind
}

/** The search and the filters of the address, as the list of deals has them. */
export function shownIn({ q, filters }: ListState): Record<string, string> {
  return { ...filters, ...(q !== '' && { q }) }
}

/** The kinds of stages. */
export const kinds = ['open', 'won', 'lost']
