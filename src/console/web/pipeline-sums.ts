import { money } from './format.ts'
import { list } from './http.ts'

export interface StageTotal {
  deals: number
  /** The sums by currency, the most used first. */
  values: [currency: string, value: number][]
}

/** The totals of the stages that have deals, by the ids of the stages. */
export type StageTotals = ReadonlyMap<string, StageTotal>

interface Group {
  group: { stage_id: string; currency: string }
  count: number
  /** Null if it is beyond the range of a number. */
  'sum:value': number | null
}

const query = { group_by: 'stage_id,currency', measure: 'sum:value', limit: 1_000 }

/** Loads the totals of all deals, or of those in a view. */
export async function loadTotals(view = '', signal?: AbortSignal): Promise<StageTotals> {
  const groups: Group[] = []
  let cursor: string | undefined
  do {
    const page = await list<Group>('/api-v1-deals/summary', { ...query, view, cursor }, signal)
    groups.push(...page.data)
    cursor = page.pagination.next_cursor ?? undefined
  } while (cursor)
  return totalsOf(groups.sort((a, b) => b.count - a.count))
}

function totalsOf(groups: readonly Group[]): StageTotals {
  const totals = new Map<string, StageTotal>()
  for (const { group, count, 'sum:value': value } of groups) {
    const total = totals.get(group.stage_id) ?? { deals: 0, values: [] }
    const values = [...total.values, [group.currency, value ?? Infinity] as [string, number]]
    totals.set(group.stage_id, { deals: total.deals + count, values })
  }
  return totals
}

/** The sums as text, one for each currency. */
export function sumText(values: StageTotal['values']): string {
  return values.map(([currency, value]) => money(value, currency)).join(' + ')
}
