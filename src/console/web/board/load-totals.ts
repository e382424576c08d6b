import type { Query } from '../data/http.ts'
import { convertTotals } from '../deals/converted-sums.ts'
import { currenciesOf, loadStageGroups, type StageTotals, totalsOf } from '../deals/pipeline-sums.ts'

/** Loads the totals of the deals that a query finds. The order of the currencies is that of all deals, so that no filter changes it. */
export async function loadTotals(found: Query, isNarrowed: boolean): Promise<StageTotals> {
  const loading = [loadStageGroups(found), ...(isNarrowed ? [loadStageGroups({})] : [])]
  const [groups, all = groups] = await Promise.all(loading)
  return convertTotals(totalsOf(groups!, currenciesOf(all!)), found)
}
