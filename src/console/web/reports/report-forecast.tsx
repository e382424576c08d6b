import { CalendarClock } from 'lucide'
import { monthOf } from '../data/spans.ts'
import { inStages, type ListFilters, listHref, ownedBy, within } from '../deals/deal-links.ts'
import type { CurrencySum } from '../deals/pipeline-sums.ts'
import { Empty } from '../parts/empty.tsx'
import { href } from '../session/place.ts'
import { isAdmin, resourceOf, session } from '../session/session.ts'
import { parseLocal } from '../text/days.ts'
import { monthTitle } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { countColumn, valueColumn } from './report-cells.tsx'
import type { ForecastGroup, ReportData } from './report-data.ts'
import { type ReportColumn, ReportTable } from './report-table.tsx'

interface Row {
  key: string
  title: string
  /** Of the list of its open deals. */
  filters: ListFilters
  group: ForecastGroup
}

/** What the open deals will bring, by the month in which they close, in the currency of the company (decision T8). */
export function ReportForecast({ data }: { data: ReportData }) {
  const { currency } = session.value!.company
  const rows = rowsOf(data)
  const sums = (value: number | null): { deals: number; sums: CurrencySum[] } => ({
    deals: 0,
    sums: [[currency, value ?? Infinity]],
  })
  const columns: ReportColumn<Row>[] = [
    { label: t('Closes in'), cell: ({ title }) => title, plain: { [t('Closes in')]: ({ title }) => title } },
    countColumn(t('Open deals'), ({ group }) => group.count),
    valueColumn(t('Value'), rows, ({ group }) => sums(group['converted:value'])),
    valueColumn(t('Weighted'), rows, ({ group }) => sums(group['converted_weighted:value'])),
  ]
  return (
    <ReportTable
      title={t('Forecast in {currency}', { currency })}
      file="forecast"
      columns={columns}
      rows={rows}
      empty={
        <Empty icon={CalendarClock} title={t('No deal is open')}>
          {t('Open deals appear here in the month in which they are expected to close.')}
        </Empty>
      }
    >
      <Unconverted data={data} />
    </ReportTable>
  )
}

/** The deals that the sums leave out. */
function Unconverted({ data }: { data: ReportData }) {
  const left = new Map<string, number>()
  for (const { currency, count } of data.forecast.flatMap(({ unconverted }) => unconverted)) {
    left.set(currency, (left.get(currency) ?? 0) + count)
  }
  if (left.size === 0) return null
  return (
    <p class="muted small">
      {t('Without an exchange rate, and not in the sums:')}{' '}
      {[...left].map(([currency, count], at) => (
        <span key={currency}>
          {at > 0 && ', '}
          <a href={listHref('deal', { ...openOf(data), currency })}>{`${currency} (${count})`}</a>
        </span>
      ))}
      .{isAdmin() && ' '}
      {isAdmin() && <a href={href(resourceOf('exchange_rate').page)}>{resourceOf('exchange_rate').plural}</a>}
    </p>
  )
}

function openOf({ stages, owner }: ReportData): ListFilters {
  return { ...inStages(stages.open), ...ownedBy(owner) }
}

/** All open deals, and then each month. Those without a day come last. */
function rowsOf(data: ReportData): Row[] {
  const open = openOf(data)
  const months = data.forecast.filter(({ group }) => group[month] !== null)
  const undated = data.forecast.filter(({ group }) => group[month] === null)
  if (data.forecast.length === 0) return []
  return [
    { key: 'all', title: t('All open deals'), filters: open, group: data.forecastTotal! },
    ...months.map((group) => {
      const first = parseLocal(group.group[month]!)!
      const filters = { ...open, ...within('expected_close_date', monthOf(first)) }
      return { key: group.group[month]!, title: monthTitle(first), filters, group }
    }),
    ...undated.map((group) => ({
      ...{ key: 'none', title: t('Without a date'), group },
      filters: { ...open, expected_close_date: 'null' },
    })),
  ]
}

const month = 'expected_close_date:month'
