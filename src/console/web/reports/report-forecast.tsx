import { CalendarClock } from 'lucide'
import { monthOf, type Span } from '../data/spans.ts'
import type { Figure } from '../deals/deal-figures.ts'
import { inStages, type ListFilters, listHref, ownedBy, within } from '../deals/deal-links.ts'
import { Empty } from '../parts/empty.tsx'
import { href } from '../session/place.ts'
import { isAdmin, resourceOf, session } from '../session/session.ts'
import { localDay, parseLocal } from '../text/days.ts'
import { monthTitle } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { countColumn, valueColumn } from './report-cells.tsx'
import type { ForecastGroup, ReportData, WonGroup } from './report-data.ts'
import { type ReportColumn, ReportTable } from './report-table.tsx'

interface Row {
  key: string
  title: string
  /** Of the list of its open deals. */
  filters: ListFilters
  /** Absent: there are none. */
  open: ForecastGroup | undefined
  /** Absent: the row is of no month of the report. */
  won: { group: WonGroup | undefined; filters: ListFilters } | undefined
}

/** What the open deals will bring and what was won, by month, in the currency of the company (decision T8). */
export function ReportForecast({ data }: { data: ReportData }) {
  const { currency } = session.value!.company
  const rows = rowsOf(data)
  const sums = (value: number | null | undefined): Figure => ({
    deals: 0,
    sums: value === undefined ? [] : [[currency, value ?? Infinity]],
  })
  const wonRows = rows.map((row) => ({ ...row, filters: row.won?.filters ?? {} }))
  const ofWon = (column: ReportColumn<Row>): ReportColumn<Row> => ({
    ...column,
    cell: (row) => (row.won?.group ? column.cell({ ...row, filters: row.won.filters }) : <None isKnown={!!row.won} />),
  })
  const columns: ReportColumn<Row>[] = [
    { label: t('Month'), cell: ({ title }) => title, plain: { [t('Month')]: ({ title }) => title } },
    countColumn(t('Open deals'), ({ open }) => open?.count ?? 0),
    valueColumn(t('Value'), rows, ({ open }) => sums(open?.['converted:value'])),
    valueColumn(t('Weighted'), rows, ({ open }) => sums(open?.['converted_weighted:value'])),
    ofWon(countColumn<Row>(t('Won'), ({ won }) => won?.group?.count ?? 0)),
    ofWon(valueColumn<Row>(t('Won value'), wonRows, ({ won }) => sums(won?.group?.['converted:value']))),
  ]
  return (
    <ReportTable
      title={t('Forecast in {currency}', { currency })}
      file="forecast"
      columns={columns}
      rows={rows}
      empty={
        <Empty inCard icon={CalendarClock} title={t('No deal is open')}>
          {t('Open deals appear here in the month in which they are expected to close.')}
        </Empty>
      }
    >
      <Unconverted data={data} />
    </ReportTable>
  )
}

function None({ isKnown }: { isKnown: boolean }) {
  return <span class="muted">{isKnown ? 0 : '–'}</span>
}

/** The deals that the sums leave out. */
function Unconverted({ data }: { data: ReportData }) {
  const left = [
    ...leftOf(data.forecast, openOf(data), (currency) => currency),
    ...leftOf(data.won, wonOf(data, allMonths(data)), (currency) => t('{currency} won', { currency })),
  ]
  if (left.length === 0) return null
  return (
    <p class="muted small">
      {t('Without an exchange rate, and not in the sums:')}{' '}
      {left.map(({ name, count, filters }, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <a href={listHref('deal', filters)}>{`${name} (${count})`}</a>
        </span>
      ))}
      .{isAdmin() && ' '}
      {isAdmin() && <a href={href(resourceOf('exchange_rate').page)}>{resourceOf('exchange_rate').plural}</a>}
    </p>
  )
}

function leftOf(
  groups: readonly Pick<WonGroup, 'unconverted'>[],
  filters: ListFilters,
  nameOf: (currency: string) => string,
): { name: string; count: number; filters: ListFilters }[] {
  const left = new Map<string, number>()
  for (const { currency, count } of groups.flatMap(({ unconverted }) => unconverted)) {
    left.set(currency, (left.get(currency) ?? 0) + count)
  }
  return [...left].map(([currency, count]) => ({ name: nameOf(currency), count, filters: { ...filters, currency } }))
}

function wonOf({ stages, owner }: ReportData, span: Span): ListFilters {
  return { ...inStages(stages.won), ...ownedBy(owner), ...within('closed_at', span) }
}

function allMonths({ months }: ReportData): Span {
  return { start: months[0]!.start, end: months.at(-1)!.end }
}

function openOf({ stages, owner }: ReportData): ListFilters {
  return { ...inStages(stages.open), ...ownedBy(owner) }
}

/** Everything, and then each month. Open deals without a day come last. */
function rowsOf(data: ReportData): Row[] {
  const open = openOf(data)
  const openIn = Map.groupBy(data.forecast, ({ group }) => group[month] ?? '')
  const wonIn = Map.groupBy(data.won, ({ group }) => localDay(new Date(group['closed_at:period']!)))
  const known = new Map(data.months.map((span) => [localDay(span.start), span]))
  const keys = [...new Set([...openIn.keys(), ...wonIn.keys()])].filter((key) => key !== '').sort()
  if (openIn.size + wonIn.size === 0) return []
  const won = (span: Span | undefined, group: WonGroup | undefined) => span && { group, filters: wonOf(data, span) }
  const undated = openIn.get('')?.[0]
  return [
    {
      key: 'all',
      title: t('Total'),
      filters: open,
      open: data.forecastTotal,
      won: won(allMonths(data), data.wonTotal),
    },
    ...keys.map((key) => {
      const first = parseLocal(key)!
      const filters = { ...open, ...within('expected_close_date', monthOf(first)) }
      const found = { open: openIn.get(key)?.[0], won: won(known.get(key), wonIn.get(key)?.[0]) }
      return { key, title: monthTitle(first), filters, ...found }
    }),
    ...(undated
      ? [
          {
            ...{ key: 'none', title: t('Without a date'), open: undated, won: undefined },
            filters: { ...open, expected_close_date: 'null' },
          },
        ]
      : []),
  ]
}

const month = 'expected_close_date:month'
