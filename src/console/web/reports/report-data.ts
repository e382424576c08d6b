import { list, type Query } from '../data/http.ts'
import { type Part, partsOf } from '../data/report-spans.ts'
import type { Row } from '../data/resource-views.ts'
import { divide, monthOf, periodsOf, type Span, spanQuery } from '../data/spans.ts'
import { loadGroups } from '../data/summaries.ts'
import { byKind, type DealGroup, groupsIn, mainCurrencies, type Stages } from '../deals/deal-figures.ts'
import { inStages } from '../deals/deal-links.ts'
import { loadStageGroups, type StageGroup } from '../deals/pipeline-sums.ts'
import { loadPipelines, shownPipeline, stagesOf } from '../deals/pipelines.ts'

/** What a report is about. */
interface Asked {
  span: Span
  /** The id of the owner; undefined: everyone. */
  owner: string | undefined
}

interface Requested extends Asked {
  /** The id of a pipeline; default: the one that the user saw last. */
  pipelineId: string | undefined
}

interface ActivityGroup {
  group: { user_id: string | null; type: string }
  count: number
}

/** Open deals, of a month of their close date or all, in the currency of the company. */
export interface ForecastGroup {
  group: { 'expected_close_date:month'?: string | null }
  count: number
  /** Null if it is beyond the range of a number. */
  'converted:value': number | null
  'converted_weighted:value': number | null
  unconverted: readonly { currency: string; count: number }[]
}

/** Deals that were won in a month, or in all months that are shown, in the currency of the company. */
export interface WonGroup {
  group: { 'closed_at:period'?: string }
  count: number
  /** Null if it is beyond the range of a number. */
  'converted:value': number | null
  unconverted: readonly { currency: string; count: number }[]
}

/** Everything that the reports show. */
export interface ReportData extends Asked {
  /** Empty: there is only one. */
  pipelines: readonly Row[]
  /** The one that the report is about; undefined: the only one. */
  pipeline: Row | undefined
  stages: Stages
  parts: readonly Part[]
  /** See `mainCurrencies`. */
  currencies: readonly string[]
  /** All deals, as they are now. */
  now: readonly StageGroup[]
  /** The number of deals that were created in the span, by the ids of the stages in which they are now. */
  created: ReadonlyMap<string, number>
  /** The deals that were closed in the span, by part (`closed_at:period`) and by owner (`assigned_to`). */
  closedByPart: readonly DealGroup[]
  closedByOwner: readonly DealGroup[]
  /** The median of the days from creation to won: of each part by its start, and of the span. */
  daysByPart: ReadonlyMap<string, number>
  days: number | null
  activities: readonly ActivityGroup[]
  /** The open deals by month, and all of them. */
  forecast: readonly ForecastGroup[]
  forecastTotal: ForecastGroup | undefined
  /** The months of the span, and the deals that were won in them. */
  months: readonly Span[]
  won: readonly WonGroup[]
  wonTotal: WonGroup | undefined
  /** The names of users by id. */
  names: ReadonlyMap<string, string>
}

const median = 'median:days_to_close'
type MedianGroup = { group: { 'closed_at:period'?: string } } & { [median]: number | null }

/** Requests what does not depend on the stages at once, and then what does. */
export async function loadReport({ span, owner, pipelineId }: Requested, signal: AbortSignal): Promise<ReportData> {
  const parts = partsOf(span)
  const periods = { group_by: 'closed_at:period', periods: periodsOf(parts) }
  const closed: Query = { ...spanQuery('closed_at', span), assigned_to: owner }
  const createdQuery = { ...spanQuery('created_at', span), assigned_to: owner, group_by: 'stage_id' }
  const logged = { ...spanQuery('created_at', span), user_id: owner, group_by: 'user_id,type' }
  const deals = <T = DealGroup>(query: Query) => loadGroups<T>('deal', query, signal)
  const value = { measure: 'sum:value' }
  const [all, open, created, closedByPart, closedByOwner, activities] = await Promise.all([
    loadPipelines(signal),
    loadStageGroups({ assigned_to: owner }, signal),
    deals<{ group: { stage_id: string }; count: number }>(createdQuery),
    deals({ ...closed, ...periods, ...value, group_by: 'closed_at:period,stage_id' }),
    deals({ ...closed, ...value, group_by: 'assigned_to,stage_id' }),
    loadGroups<ActivityGroup>('activity', logged, signal),
  ])
  const pipeline = shownPipeline(all, pipelineId)
  const stages = byKind(stagesOf(all, pipeline))
  const won = { ...closed, ...inStages(stages.won), measure: median }
  const people = [
    ...closedByOwner.map(({ group }) => group.assigned_to!),
    ...activities.map(({ group }) => group.user_id),
  ]
  const soon = { ...inStages(stages.open), assigned_to: owner, measure: 'converted:value,converted_weighted:value' }
  const months = monthsOf(span)
  const monthly = { group_by: 'closed_at:period', periods: periodsOf(months) }
  const wonIn = {
    ...spanQuery('closed_at', { start: months[0]!.start, end: months.at(-1)!.end }),
    ...{ ...inStages(stages.won), assigned_to: owner, measure: 'converted:value' },
  }
  const [daysByPart, days, names, forecast, [forecastTotal], wonByMonth, [wonTotal]] = await Promise.all([
    deals<MedianGroup>({ ...won, ...periods }),
    deals<MedianGroup>(won),
    loadNames(people, signal),
    deals<ForecastGroup>({ ...soon, group_by: 'expected_close_date:month' }),
    deals<ForecastGroup>(soon),
    deals<WonGroup>({ ...wonIn, ...monthly }),
    deals<WonGroup>(wonIn),
  ])
  return {
    ...{ span, owner, pipelines: all.pipelines, pipeline, stages, parts, now: open, activities, names },
    ...{ forecast, forecastTotal, months, won: wonByMonth, wonTotal },
    closedByPart: groupsIn(closedByPart, stages.all),
    closedByOwner: groupsIn(closedByOwner, stages.all),
    currencies: mainCurrencies(open, stages),
    created: new Map(created.map(({ group, count }) => [group.stage_id, count])),
    daysByPart: new Map(daysByPart.map((group) => [group.group['closed_at:period']!, group[median]!])),
    days: days[0]?.[median] ?? null,
  }
}

/** The newest months in which the forecast says what was won. */
const monthsMax = 60

function monthsOf({ start, end }: Span): Span[] {
  return divide({ start: monthOf(start).start, end: monthOf(new Date(end.getTime() - 1)).end }, 'month').slice(
    -monthsMax,
  )
}

/** How many ids a filter takes. */
const idsMax = 100

async function loadNames(ids: readonly (string | null)[], signal: AbortSignal): Promise<Map<string, string>> {
  const known = [...new Set(ids)].filter((id) => id !== null)
  const chunks = Array.from({ length: Math.ceil(known.length / idsMax) }, (_, at) =>
    known.slice(at * idsMax, (at + 1) * idsMax),
  )
  const pages = await Promise.all(
    chunks.map((chunk) => list<Row>('/api-v1-users', { 'id[in]': chunk.join(), limit: idsMax }, signal)),
  )
  return new Map(pages.flatMap(({ data }) => data.map(({ id, full_name }) => [id, full_name])))
}
