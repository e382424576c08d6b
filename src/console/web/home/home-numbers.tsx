import { useNews } from '../data/news.ts'
import { monthOf, spanQuery } from '../data/spans.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { mainCurrencies, type Stages, winRate } from '../deals/deal-figures.ts'
import { inStages, type ListFilters, listHref, ownedBy, within } from '../deals/deal-links.ts'
import { Sums } from '../deals/deal-sums.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Tiles } from '../parts/tiles.tsx'
import { now } from '../session/now.ts'
import { percent } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import { type HomeSums, homeFigure, loadHomeSums } from './home-sums.ts'

interface HomeNumbersProps {
  owner: string | undefined
  /** Undefined while they are loading. */
  stages: Stages | undefined
  sums: HomeSums | undefined
}

/** Open value, weighted forecast, also of what closes this month, what was won in it, and the win rate. Nothing if there are no deals. */
export function HomeNumbers({ owner, stages, sums }: HomeNumbersProps) {
  const month = monthOf(now())
  const query = { ...spanQuery('closed_at', month), assigned_to: owner }
  const closed = useData((signal) => loadHomeSums(query, signal), [JSON.stringify(query)])
  const inForecast = within('expected_close_date', month)
  const due = { ...inForecast, assigned_to: owner }
  const closing = useData((signal) => loadHomeSums(due, signal), [JSON.stringify(due)])
  const reload = () => [closed, closing].map((each) => each.reload())
  useReturn(reload)
  useNews(
    ({ resource }) => ['stage', 'deal'].includes(resource),
    () => Promise.all([closed.refresh(), closing.refresh()]),
  )
  const error = closed.error ?? closing.error
  if (error) return <ErrorNotice error={error} />
  if (!stages || !sums || !closed.data || !closing.data || sums.groups.length === 0) return null
  const currencies = mainCurrencies(sums.groups, stages)
  const won = homeFigure(closed.data, stages.won, currencies)
  const lost = homeFigure(closed.data, stages.lost, currencies)
  const soon = homeFigure(closing.data, stages.open, currencies, 'weighted')
  const listed = ({ sums, converted }: ReturnType<typeof homeFigure>, filters: ListFilters) => (
    <Sums of={sums} converted={converted} filters={{ ...filters, ...ownedBy(owner) }} />
  )
  const inMonth = within('closed_at', month)
  const rate = winRate(won.deals, lost.deals)
  const all = homeFigure(sums, stages.open, currencies)
  const closedHref = listHref('deal', { ...inStages([...stages.won, ...stages.lost]), ...inMonth, ...ownedBy(owner) })
  return (
    <Tiles
      label={t('Numbers')}
      tiles={[
        {
          label: t('Open deals'),
          children: listed(all, inStages(stages.open)),
          note: counted('{n} open deal|{n} open deals', all.deals),
        },
        {
          label: t('Weighted forecast'),
          children: listed(homeFigure(sums, stages.open, currencies, 'weighted'), inStages(stages.open)),
          note: t('Value × probability'),
        },
        {
          label: t('Forecast of this month'),
          children: listed(soon, { ...inStages(stages.open), ...inForecast }),
          note: counted('{n} deal closes|{n} deals close', soon.deals),
        },
        {
          label: t('Won this month'),
          children: listed(won, { ...inStages(stages.won), ...inMonth }),
          note: counted('{n} deal won|{n} deals won', won.deals),
        },
        {
          label: t('Win rate this month'),
          children: rate === undefined ? <span class="muted">–</span> : <a href={closedHref}>{percent(rate)}</a>,
          note:
            rate === undefined
              ? t('No deal was closed yet')
              : t('{won} won, {lost} lost', { won: won.deals, lost: lost.deals }),
        },
      ]}
    />
  )
}
