import type { Row } from '../data/resource-views.ts'
import type { Span } from '../data/spans.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { localDay, startOfDay } from '../text/days.ts'

export type ListFilters = Readonly<Record<string, string>>

/** The address of the list of these records. */
export function listHref(of: string, filters: ListFilters): string {
  const query = new URLSearchParams(filters).toString()
  return href(`${resourceOf(of).page}${query === '' ? '' : `?${query}`}`)
}

/** How many stages a filter takes. */
const stagesMax = 100

/** The list's filter by stages. Without any, it finds nothing. If there are more than a filter takes, it finds all open deals, of their pipeline if it is one. */
export function inStages(stages: readonly Row[]): ListFilters {
  const ids = stages.map(({ id }) => id)
  if (ids.length > stagesMax && stages.every(({ kind }) => kind === 'open')) {
    const [pipeline, other] = new Set<string>(stages.map(({ pipeline_id }) => pipeline_id))
    return { closed_at: 'null', ...(other === undefined && { pipeline_id: pipeline! }) }
  }
  return ids.length > 1 ? { 'stage_id[in]': ids.join() } : { stage_id: ids[0] ?? 'null' }
}

/** The list's filter on the days of a span; lists mean the user's days. */
export function within(field: string, { start, end }: Span): ListFilters {
  return { [`${field}[gte]`]: localDay(start), [`${field}[lte]`]: localDay(startOfDay(end, -1)) }
}

/** The list's filter on an owner; undefined: everyone. */
export function ownedBy(owner: string | undefined, field = 'assigned_to'): ListFilters {
  return owner === undefined ? {} : { [field]: owner }
}
