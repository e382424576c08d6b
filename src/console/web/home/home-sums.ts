import type { Query } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { convertedIn, convertTotals } from '../deals/converted-sums.ts'
import { figureOf, groupsIn } from '../deals/deal-figures.ts'
import { loadStageGroups, type StageGroup, type StageTotals, totalsOf } from '../deals/pipeline-sums.ts'

/** Deals by stage and currency. */
export interface HomeSums {
  groups: readonly StageGroup[]
  totals: StageTotals
}

/** Loads the sums of the deals that a query finds. */
export async function loadHomeSums(found: Query, signal: AbortSignal): Promise<HomeSums> {
  const groups = await loadStageGroups(found, signal)
  return { groups, totals: await convertTotals(totalsOf(groups), found, signal) }
}

/** The figure of the deals in some stages, with its sum in the currency of the company. `currencies`: see `figureOf`. */
export function homeFigure(
  { groups, totals }: HomeSums,
  stages: readonly Row[],
  currencies: readonly string[],
  which: 'values' | 'weighted' = 'values',
) {
  const figure = figureOf(groupsIn(groups, stages), currencies, which === 'values' ? 'sum:value' : 'weighted:value')
  return { ...figure, converted: convertedIn(stages.flatMap(({ id }) => totals.get(id) ?? []))?.[which] }
}
