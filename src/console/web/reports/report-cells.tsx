import { type DealGroup, type Figure, figureOf, groupsIn, winRate } from '../deals/deal-figures.ts'
import { inStages, type ListFilters, listHref } from '../deals/deal-links.ts'
import { Sums } from '../deals/deal-sums.tsx'
import { number, percent } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import type { ReportData } from './report-data.ts'
import type { ReportColumn } from './report-table.tsx'

/** A row, and the filters of the list of what it counts. */
interface Listed {
  filters: ListFilters
}

/** Closed deals. */
export interface Closed extends Listed {
  won: Figure
  lost: Figure
}

export function closedOf(data: ReportData, groups: readonly DealGroup[], filters: ListFilters): Closed {
  const { stages, currencies } = data
  const of = (kind: 'won' | 'lost') => figureOf(groupsIn(groups, stages[kind]), currencies)
  return { won: of('won'), lost: of('lost'), filters }
}

/** The columns of closed deals: won, their value, lost, and the win rate. */
export function closedColumns<T extends Closed>(data: ReportData, rows: readonly T[]): ReportColumn<T>[] {
  const [won, lost] = [inStages(data.stages.won), inStages(data.stages.lost)]
  const closed = inStages([...data.stages.won, ...data.stages.lost])
  return [
    countColumn(t('Won'), (row) => row.won.deals, won),
    valueColumn(t('Won value'), rows, (row) => row.won, won),
    countColumn(t('Lost'), (row) => row.lost.deals, lost),
    {
      label: t('Win rate'),
      end: true,
      cell: (row) => <Rate of={row} filters={{ ...row.filters, ...closed }} />,
      plain: { [t('Win rate in percent')]: (row) => percentOf(winRate(row.won.deals, row.lost.deals)) },
    },
  ]
}

/** A column of numbers, each a link to the records that it counts: those of the row that `further` filters find. */
export function countColumn<T extends Listed>(
  label: string,
  of: (row: T) => number,
  further: ListFilters = {},
  resource = 'deal',
): ReportColumn<T> {
  const cell = (row: T) => {
    if (of(row) === 0) return <span class="muted">0</span>
    return <a href={listHref(resource, { ...row.filters, ...further })}>{number(of(row))}</a>
  }
  return { label, end: true, cell, plain: { [label]: of } }
}

/** A column of sums, each a link to its deals. The file has a column for each currency. */
export function valueColumn<T extends Listed>(
  label: string,
  rows: readonly T[],
  of: (row: T) => Figure,
  further: ListFilters = {},
): ReportColumn<T> {
  return {
    label,
    end: true,
    cell: (row) => <Sums of={of(row).sums} filters={{ ...row.filters, ...further }} />,
    plain: Object.fromEntries(
      currenciesIn(rows.map(of)).map((currency) => [`${label} ${currency}`, (row: T) => sumIn(of(row), currency)]),
    ),
  }
}

export function Rate({ of: { won, lost }, filters }: { of: Closed; filters: ListFilters }) {
  const rate = winRate(won.deals, lost.deals)
  return rate === undefined ? <span class="muted">–</span> : <a href={listHref('deal', filters)}>{percent(rate)}</a>
}

/** `12.5 days` */
export function Days({ of: days, filters }: { of: number | null; filters: ListFilters }) {
  if (days === null) return <span class="muted">–</span>
  return <a href={listHref('deal', filters)}>{counted('{n} day|{n} days', roundDays(days))}</a>
}

export function roundDays(days: number): number {
  return Math.round(days * 10) / 10
}

/** A share as a number for a file; empty without one. */
export function percentOf(share: number | undefined): number | string {
  return share === undefined ? '' : Math.round(share * 1000) / 10
}

export function currenciesIn(figures: readonly Figure[]): string[] {
  return [...new Set(figures.flatMap(({ sums }) => sums.map(([currency]) => currency)))]
}

export function sumIn({ sums }: Figure, currency: string): number {
  return sums.find(([each]) => each === currency)?.[1] ?? 0
}
