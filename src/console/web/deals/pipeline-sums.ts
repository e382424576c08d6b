import type { Query } from '../data/http.ts'
import { loadGroups } from '../data/summaries.ts'
import { money, roundMoney } from '../text/format.ts'

export type CurrencySum = [currency: string, value: number]

export interface StageTotal {
  deals: number
  /** The sums by currency, the most used of all deals first. */
  values: CurrencySum[]
  /** The sums of value × probability, in the same order. */
  weighted: CurrencySum[]
  /** All of it in the currency of the company, if the exchange rates say so. */
  converted?: ConvertedSums
}

/** A sum in the currency of the company. */
export interface Converted {
  sum: CurrencySum
  /** The currencies without a rate, which are not in the sum. */
  left: readonly string[]
}

/** The sums of a total, each in the currency of the company. */
export type ConvertedSums = Readonly<Record<'values' | 'weighted', Converted>>

/** The totals of the stages that have deals, by the ids of the stages. */
export type StageTotals = ReadonlyMap<string, StageTotal>

/** Deals of one stage and currency. */
export interface StageGroup {
  group: { stage_id: string; currency: string }
  count: number
  /** Null if it is beyond the range of a number. */
  'sum:value': number | null
  'weighted:value': number | null
}

const query = { group_by: 'stage_id,currency', measure: 'sum:value,weighted:value' }

/** Loads the deals that a query finds, by stage and currency. */
export function loadStageGroups(found: Query, signal?: AbortSignal): Promise<StageGroup[]> {
  return loadGroups('deal', { ...query, ...found }, signal)
}

/** The totals of some groups. `order`: the currencies, the main one first; default: the most used of these groups. */
export function totalsOf(groups: readonly StageGroup[], order = currenciesOf(groups)): StageTotals {
  const rank = ({ group }: StageGroup) => order.indexOf(group.currency)
  const ordered = groups.toSorted((a, b) => rank(a) - rank(b))
  const stages = Map.groupBy(ordered, ({ group }) => group.stage_id)
  return new Map([...stages].map(([id, each]) => [id, totalOf(each)]))
}

function totalOf(groups: readonly StageGroup[]): StageTotal {
  const sumsOf = (measure: 'sum:value' | 'weighted:value') =>
    groups.map((each): CurrencySum => [each.group.currency, each[measure] ?? Infinity])
  const deals = groups.reduce((sum, { count }) => sum + count, 0)
  return { deals, values: sumsOf('sum:value'), weighted: sumsOf('weighted:value') }
}

/** The currencies of deals, the most used first. */
export function currenciesOf(groups: readonly { group: { currency: string }; count: number }[]): string[] {
  const uses = new Map<string, number>()
  for (const { group, count } of groups) uses.set(group.currency, (uses.get(group.currency) ?? 0) + count)
  return [...uses.keys()].sort((a, b) => uses.get(b)! - uses.get(a)!)
}

/** The sums as text, one for each currency. */
export function sumText(values: readonly CurrencySum[]): string {
  return values.map(([currency, value]) => money(value, currency)).join(' + ')
}

/** A converted sum without its smallest digits; with `+ CHF` for what is not in it. */
export function convertedText({ sum: [currency, value], left }: Converted): string {
  return [roundMoney(value, currency), ...left].join(' + ')
}

/** The first sum, without its smallest digits, and the number of further currencies: `€1,500 +4`, `€1.25M`. */
export function mainSumText(values: readonly CurrencySum[]): string {
  const [[currency, value], ...others] = values as [CurrencySum, ...CurrencySum[]]
  return others.length > 0 ? `${roundMoney(value, currency)} +${others.length}` : roundMoney(value, currency)
}
