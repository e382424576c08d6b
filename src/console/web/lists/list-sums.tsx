import { queryOf } from '../data/find.ts'
import { type ListState, parametersOf } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { loadGroups } from '../data/summaries.ts'
import { useData, useSettled } from '../data/use-data.ts'
import { loadConverted } from '../deals/converted-sums.ts'
import { type DealGroup, figureOf } from '../deals/deal-figures.ts'
import { Sums } from '../deals/deal-sums.tsx'
import { currenciesOf } from '../deals/pipeline-sums.ts'
import { t } from '../text/texts.ts'

interface ListSumsProps {
  state: ListState
  /** How often the user has changed deals of the list. */
  changes: number
}

/** The value of all deals that a list finds: in the currency of the company, or by currency without exchange rates. */
export function ListSums({ state, changes }: ListSumsProps) {
  const { page: _, sort: __, ...found } = parametersOf('deal', state)
  const q = useSettled(queryOf(state.q))
  const query = { ...found, q }
  const load = async (signal: AbortSignal) => {
    const byCurrency = { ...query, group_by: 'currency', measure: 'sum:value' }
    const groups = await loadGroups<DealGroup & { group: { currency: string } }>('deal', byCurrency, signal)
    const { sums } = figureOf(groups, currenciesOf(groups))
    return { sums, converted: await loadConverted(query, sums, signal) }
  }
  const loaded = useData(load, [JSON.stringify(query), changes])
  useNews(({ resource }) => resource === 'deal', loaded.refresh)
  const { sums, converted } = loaded.data ?? { sums: [] }
  if (sums.length === 0) return null
  return (
    <span class="total row">
      <span class="muted small">{t('Value')}</span>{' '}
      <Sums of={sums} converted={converted} filters={{ ...state.filters, ...(q !== '' && { q }) }} />
    </span>
  )
}
