import { type DealGroup, type Figure, figureOf, groupsIn, winRate } from '../deals/deal-figures.ts'
import { inStages, type ListFilters, listHref } from '../deals/deal-links.ts'
import { Sums } from '../deals/deal-sums.tsx'
import { number, percent } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import type { ReportData } from './report-data.ts'
import type { ReportColumn } from './report-table.tsx'

/** Closed deals, and the filters of the list that shows them. */
export interface Closed {
  won: Figure
  lost: Figure
  filters: ListFilters
}

export function closedOf(data: ReportData, groups: readonly DealGroup[], filters: ListFilters): Closed {
  const { stages, currencies } = data
  const of = (kind: 'won' | 'lost') => figureOf(groupsIn(groups, stages[kind]), currencies)
  return { won: of('won'), lost: of('lost'), filters }
}

/** The columns of closed deals: won, their value, lost, and the win rate. */
export function closedColumns<T extends Closed>(data: ReportData, rows: readonly T[]): ReportColumn<T>[] {
  const { won, lost } = data.stages
  const currencies = [...new Set(rows.flatMap((row) => row.won.sums.map(([currency]) => currency)))]
  return [
    {
      label: t('Won'),
      end: true,
      cell: (row) => <Count of={row.won.deals} filters={{ ...row.filters, ...inStages(won) }} />,
      plain: { [t('Won')]: (row) => row.won.deals },
    },
    {
      label: t('Won value'),
      end: true,
      cell: (row) => <Value of={row.won} filters={{ ...row.filters, ...inStages(won) }} />,
      plain: Object.fromEntries(
        currencies.map((currency) => [t('Won value {currency}', { currency }), (row: T) => sumIn(row.won, currency)]),
      ),
    },
    {
      label: t('Lost'),
      end: true,
      cell: (row) => <Count of={row.lost.deals} filters={{ ...row.filters, ...inStages(lost) }} />,
      plain: { [t('Lost')]: (row) => row.lost.deals },
    },
    {
      label: t('Win rate'),
      end: true,
      cell: (row) => <Rate of={row} filters={{ ...row.filters, ...inStages([...won, ...lost]) }} />,
      plain: { [t('Win rate in percent')]: (row) => percentOf(winRate(row.won.deals, row.lost.deals)) },
    },
  ]
}

/** A number of deals as a link to them. */
export function Count({ of, filters }: { of: number; filters: ListFilters }) {
  return of === 0 ? <span class="muted">0</span> : <a href={listHref('deal', filters)}>{number(of)}</a>
}

/** A sum of money as a link to its deals. */
export function Value({ of: { sums }, filters }: { of: Figure; filters: ListFilters }) {
  return <Sums of={sums} hrefOf={(currency) => listHref('deal', { ...filters, ...(currency && { currency }) })} />
}

export function Rate({ of: { won, lost }, filters }: { of: Closed; filters: ListFilters }) {
  const rate = winRate(won.deals, lost.deals)
  return rate === undefined ? <span class="muted">–</span> : <a href={listHref('deal', filters)}>{percent(rate)}</a>
}

/** `12.5 days` */
export function daysText(days: number): string {
  return counted('{n} day|{n} days', roundDays(days))
}

export function roundDays(days: number): number {
  return Math.round(days * 10) / 10
}

/** A share as a number for a file; empty without one. */
export function percentOf(share: number | undefined): number | string {
  return share === undefined ? '' : Math.round(share * 1000) / 10
}

export function sumIn({ sums }: Figure, currency: string): number {
  return sums.find(([each]) => each === currency)?.[1] ?? 0
}
