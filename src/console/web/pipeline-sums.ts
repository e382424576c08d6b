import { money, roundMoney } from './format.ts'
import { list, type Query } from './http.ts'

type CurrencySum = [currency: string, value: number]

export interface StageTotal {
  deals: number
  /** The sums by currency, the most used of all deals first. */
  values: CurrencySum[]
  /** The sums of value × probability, in the same order. */
  weighted: CurrencySum[]
}

/** The totals of the stages that have deals, by the ids of the stages. */
export type StageTotals = ReadonlyMap<string, StageTotal>

interface Group {
  group: { stage_id: string; currency: string }
  count: number
  /** Null if it is beyond the range of a number. */
  'sum:value': number | null
  'weighted:value': number | null
}

const query = { group_by: 'stage_id,currency', measure: 'sum:value,weighted:value', limit: 1_000 }

/** Loads the totals of the deals that a query finds. */
export async function loadTotals(found: Query = {}, signal?: AbortSignal): Promise<StageTotals> {
  const groups: Group[] = []
  let cursor: string | undefined
  do {
    const page = await list<Group>('/api-v1-deals/summary', { ...query, ...found, cursor }, signal)
    groups.push(...page.data)
    cursor = page.pagination.next_cursor ?? undefined
  } while (cursor)
  return totalsOf(groups)
}

function totalsOf(groups: readonly Group[]): StageTotals {
  const uses = new Map<string, number>()
  for (const { group, count } of groups) uses.set(group.currency, (uses.get(group.currency) ?? 0) + count)
  const ordered = groups.toSorted((a, b) => uses.get(b.group.currency)! - uses.get(a.group.currency)!)
  const stages = Map.groupBy(ordered, ({ group }) => group.stage_id)
  return new Map([...stages].map(([id, each]) => [id, totalOf(each)]))
}

function totalOf(groups: readonly Group[]): StageTotal {
  const sumsOf = (measure: 'sum:value' | 'weighted:value') =>
    groups.map((each): CurrencySum => [each.group.currency, each[measure] ?? Infinity])
  const deals = groups.reduce((sum, { count }) => sum + count, 0)
  return { deals, values: sumsOf('sum:value'), weighted: sumsOf('weighted:value') }
}

/** The sums as text, one for each currency. */
export function sumText(values: readonly CurrencySum[]): string {
  return values.map(([currency, value]) => money(value, currency)).join(' + ')
}

/** The first sum, without its smallest digits, and the number of further currencies: `€1,500 +4`, `€1.25M`. */
export function mainSumText(values: readonly CurrencySum[]): string {
  const [[currency, value], ...others] = values as [CurrencySum, ...CurrencySum[]]
  return others.length > 0 ? `${roundMoney(value, currency)} +${others.length}` : roundMoney(value, currency)
}
