import type { Row } from '../data/resource-views.ts'
import { convertedIn } from '../deals/converted-sums.ts'
import { inStages, type ListFilters } from '../deals/deal-links.ts'
import { Sums } from '../deals/deal-sums.tsx'
import type { CurrencySum, StageTotals } from '../deals/pipeline-sums.ts'
import { counted, t } from '../text/texts.ts'

interface BoardTotalsProps {
  stages: readonly Row[]
  totals: StageTotals
  /** The filters of the board. */
  filters: ListFilters
}

/** The number of open deals on the board, their value and their forecast: in the currency of the company, or by currency without exchange rates. */
export function BoardTotals({ stages, totals, filters }: BoardTotalsProps) {
  const open = stages.filter(({ kind }) => kind === 'open')
  const found = open.flatMap(({ id }) => totals.get(id) ?? [])
  const deals = found.reduce((sum, each) => sum + each.deals, 0)
  if (deals === 0) return null
  const { stage_id: _, ...others } = filters
  const listed = { ...others, ...inStages(open) }
  const converted = convertedIn(found)
  return (
    <section class="board-totals row small" aria-label={t('Totals')}>
      <span>{counted('{n} open deal|{n} open deals', deals)}</span>
      <Sums of={added(found.flatMap(({ values }) => values))} converted={converted?.values} filters={listed} />
      <span class="muted">{t('Weighted forecast')}</span>
      <Sums of={added(found.flatMap(({ weighted }) => weighted))} converted={converted?.weighted} filters={listed} />
    </section>
  )
}

/** One sum for each currency, in the order in which they come. */
function added(sums: readonly CurrencySum[]): CurrencySum[] {
  const all = new Map<string, number>()
  for (const [currency, value] of sums) all.set(currency, (all.get(currency) ?? 0) + value)
  return [...all]
}
