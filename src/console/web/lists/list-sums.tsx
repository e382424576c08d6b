import { queryOf } from '../data/find.ts'
import { type ListState, parametersOf } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { loadGroups } from '../data/summaries.ts'
import { useData, useSettled } from '../data/use-data.ts'
import { type DealGroup, figureOf } from '../deals/deal-figures.ts'
import { Sums } from '../deals/deal-sums.tsx'
import { currenciesOf } from '../deals/pipeline-sums.ts'
import { t } from '../text/texts.ts'

/** The value of all deals that a list finds, by currency. */
export function ListSums({ state }: { state: ListState }) {
  const { page: _, sort: __, ...found } = parametersOf('deal', state)
  const q = useSettled(queryOf(state.q))
  const query = { ...found, q, group_by: 'currency', measure: 'sum:value' }
  const load = (signal: AbortSignal) => loadGroups<DealGroup & { group: { currency: string } }>('deal', query, signal)
  const loaded = useData(load, [JSON.stringify(query)])
  useNews(({ resource }) => resource === 'deal', loaded.refresh)
  const { sums } = figureOf(loaded.data ?? [], currenciesOf(loaded.data ?? []))
  if (sums.length === 0) return null
  return (
    <span class="total row">
      <span class="muted small">{t('Value')}</span>{' '}
      <Sums of={sums} filters={{ ...state.filters, ...(q !== '' && { q }) }} />
    </span>
  )
}
