import type { Query } from '../data/http.ts'
import { loadGroups } from '../data/summaries.ts'
import { session } from '../session/session.ts'
import { money, roundMoney } from '../text/format.ts'

export type CurrencySum = [currency: string, value: number]

export interface StageTotal {
  deals: number
  /** The sums by currency, the most used of all deals first. */
  values: CurrencySum[]
  /** The sums of value × probability, in the same order. */
  weighted: CurrencySum[]
  /** All of it in the currency of the company, if the exchange rates say so. */
  converted?: ConvertedSum
}

/** Sums in the currency of the company. */
export interface ConvertedSum {
  value: CurrencySum
  weighted: CurrencySum
  /** The currencies without a rate, which are not in the sums. */
  left: readonly string[]
}

/** Deals of one stage, in the currency of the company. */
interface ConvertedGroup {
  group: { stage_id: string }
  'converted:value': number | null
  'converted_weighted:value': number | null
  unconverted: readonly { currency: string }[]
}

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

/** Loads the totals of the deals that a query finds. The order of the currencies is that of all deals, so that no filter changes it. */
export async function loadTotals(found: Query, isNarrowed: boolean): Promise<StageTotals> {
  const loading = [loadStageGroups(found), ...(isNarrowed ? [loadStageGroups({})] : [])]
  const [groups, all = groups] = await Promise.all(loading)
  const totals = totalsOf(groups!, currenciesOf(all!))
  const own = session.value!.company.currency
  return groups!.some(({ group }) => group.currency !== own) ? withConverted(totals, found, own) : totals
}

const inOne = { group_by: 'stage_id', measure: 'converted:value,converted_weighted:value' }

/** The totals with their sums in the currency of the company. A stage of whose other currencies none has a rate has none. */
async function withConverted(totals: StageTotals, found: Query, own: string): Promise<StageTotals> {
  const groups = await loadGroups<ConvertedGroup>('deal', { ...found, ...inOne })
  const converted = new Map(groups.map((each) => [each.group.stage_id, each]))
  return new Map(
    [...totals].map(([id, total]) => {
      const group = converted.get(id)
      const left = group?.unconverted.map(({ currency }) => currency) ?? []
      const foreign = total.values.filter(([currency]) => currency !== own)
      if (!group || left.length === foreign.length) return [id, total]
      const sum = (value: number | null): CurrencySum => [own, value ?? Infinity]
      const [value, weighted] = [sum(group['converted:value']), sum(group['converted_weighted:value'])]
      return [id, { ...total, converted: { value, weighted, left } }]
    }),
  )
}

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

/** The first sum, without its smallest digits, and the number of further currencies: `€1,500 +4`, `€1.25M`. */
export function mainSumText(values: readonly CurrencySum[]): string {
  const [[currency, value], ...others] = values as [CurrencySum, ...CurrencySum[]]
  return others.length > 0 ? `${roundMoney(value, currency)} +${others.length}` : roundMoney(value, currency)
}
