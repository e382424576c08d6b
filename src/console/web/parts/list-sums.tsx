import { type DealGroup, figureOf } from '../deal-figures.ts'
import { listHref } from '../deal-links.ts'
import { queryOf } from '../find.ts'
import { type ListState, parametersOf } from '../list-state.ts'
import { useNews } from '../news.ts'
import { currenciesOf } from '../pipeline-sums.ts'
import { loadGroups } from '../summaries.ts'
import { t } from '../texts.ts'
import { useData, useSettled } from '../use-data.ts'
import { Sums } from './sums.tsx'

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
  const hrefOf = (currency?: string) =>
    listHref('deal', { ...state.filters, ...(q !== '' && { q }), ...(currency !== undefined && { currency }) })
  return (
    <span class="total row">
      <span class="muted small">{t('Value')}</span> <Sums of={sums} hrefOf={hrefOf} />
    </span>
  )
}
