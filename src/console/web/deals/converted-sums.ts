import type { Query } from '../data/http.ts'
import { loadGroups } from '../data/summaries.ts'
import { session } from '../session/session.ts'
import type { Converted, ConvertedSums, CurrencySum, StageTotal, StageTotals } from './pipeline-sums.ts'

/** Deals in the currency of the company. */
interface ConvertedGroup {
  'converted:value': number | null
  unconverted: readonly { currency: string }[]
}

/** Those of one stage. */
interface ConvertedStage extends ConvertedGroup {
  group: { stage_id: string }
  'converted_weighted:value': number | null
}

const inOne = { group_by: 'stage_id', measure: 'converted:value,converted_weighted:value' }

/** Loads what the totals of the deals that a query finds come to in the currency of the company. */
export async function convertTotals(totals: StageTotals, found: Query, signal?: AbortSignal): Promise<StageTotals> {
  const own = session.value!.company.currency
  const isForeign = ([currency]: CurrencySum) => currency !== own
  if (![...totals.values()].some(({ values }) => values.some(isForeign))) return totals
  const groups = await loadGroups<ConvertedStage>('deal', { ...found, ...inOne }, signal)
  const stages = new Map(groups.map((each) => [each.group.stage_id, each]))
  return new Map(
    [...totals].map(([id, total]) => {
      const group = stages.get(id)
      const values = group && convertedOf(group, total.values, own)
      if (!values) return [id, total]
      const weighted: Converted = { ...values, sum: [own, group['converted_weighted:value'] ?? Infinity] }
      return [id, { ...total, converted: { values, weighted } }]
    }),
  )
}

/** A sum in the currency of the company. There is none if none of the other currencies has a rate. */
function convertedOf(group: ConvertedGroup, sums: readonly CurrencySum[], own: string): Converted | undefined {
  const left = group.unconverted.map(({ currency }) => currency)
  const foreign = sums.filter(([currency]) => currency !== own)
  return left.length < foreign.length ? { sum: [own, group['converted:value'] ?? Infinity], left } : undefined
}

/** Loads what deals come to in the currency of the company. `sums`: by currency. */
export async function loadConverted(
  found: Query,
  sums: readonly CurrencySum[],
  signal: AbortSignal,
): Promise<Converted | undefined> {
  const own = session.value!.company.currency
  if (sums.every(([currency]) => currency === own)) return undefined
  const [group] = await loadGroups<ConvertedGroup>('deal', { ...found, measure: 'converted:value' }, signal)
  return group && convertedOf(group, sums, own)
}

/** What several stages come to in the currency of the company, if one of them has a sum in it. */
export function convertedIn(totals: readonly StageTotal[]): ConvertedSums | undefined {
  if (totals.every(({ converted }) => !converted)) return undefined
  const own = session.value!.company.currency
  const add = (which: keyof ConvertedSums): Converted => {
    const each = totals.map((total) => total.converted?.[which] ?? ownIn(total[which], own))
    const sum = each.reduce((all, one) => all + one.sum[1], 0)
    return { sum: [own, sum], left: [...new Set(each.flatMap(({ left }) => left))] }
  }
  return { values: add('values'), weighted: add('weighted') }
}

/** The sum of a stage in which no other currency has a rate. */
function ownIn(sums: readonly CurrencySum[], own: string): Converted {
  const left = sums.flatMap(([currency]) => (currency === own ? [] : [currency]))
  return { sum: sums.find(([currency]) => currency === own) ?? [own, 0], left }
}
