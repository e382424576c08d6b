import type { StageSum } from '../../crm/pipeline.ts'
import { money } from './format.ts'

export interface StageTotal {
  deals: number
  /** The sums by currency, the most used first. */
  values: [currency: string, value: number][]
}

export function totalsOf(sums: StageSum[]): Map<string, StageTotal> {
  const totals = new Map<string, StageTotal>()
  for (const { stage_id, currency, deals, value } of sums) {
    const total = totals.get(stage_id) ?? { deals: 0, values: [] }
    totals.set(stage_id, { deals: total.deals + deals, values: [...total.values, [currency, value]] })
  }
  return totals
}

/** The sums as text, one for each currency. */
export function sumText(values: StageTotal['values']): string {
  return values.map(([currency, value]) => money(value, currency)).join(' + ')
}
