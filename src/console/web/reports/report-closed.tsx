import { Trophy } from 'lucide'
import { type Part, unitLabels } from '../data/report-spans.ts'
import { unitOf } from '../data/spans.ts'
import { inStages, listHref, ownedBy, within } from '../deals/deal-links.ts'
import { Bars } from '../parts/bars.tsx'
import { Empty } from '../parts/empty.tsx'
import { dayRange, money } from '../text/format.ts'
import { about, t } from '../text/texts.ts'
import { type Closed, closedColumns, closedOf, currenciesIn, Days, roundDays, sumIn } from './report-cells.tsx'
import type { ReportData } from './report-data.ts'
import { type ReportColumn, ReportTable } from './report-table.tsx'

interface PartRow extends Closed {
  key: string
  part: Part
  /** The median of the days from creation to won. */
  days: number | null
}

/** What was won and lost in each week, month or year, and how long it took. */
export function ReportClosed({ data }: { data: ReportData }) {
  const unit = unitLabels[unitOf(data.span)]
  const all = rowsOf(data)
  const rows = all.filter(({ won, lost }) => won.deals + lost.deals > 0)
  const columns: ReportColumn<PartRow>[] = [
    { label: unit, cell: ({ part }) => part.title, plain: { [unit]: ({ part }) => part.title } },
    ...closedColumns(data, rows),
    {
      label: t('Days to win'),
      end: true,
      cell: ({ days, filters }) => <Days of={days} filters={{ ...filters, ...inStages(data.stages.won) }} />,
      plain: { [t('Days to win (median)')]: ({ days }) => (days === null ? '' : roundDays(days)) },
    },
  ]
  return (
    <ReportTable
      title={about('Won by {noun}', unit)}
      file={`won-by-${unit.toLowerCase()}`}
      columns={columns}
      rows={rows}
      empty={
        <Empty inCard icon={Trophy} title={t('No deal was closed')}>
          {t(
            'Deals appear here on the day they are moved to a won or lost stage. Choose a longer period to see earlier ones.',
          )}
        </Empty>
      }
    >
      <Charts data={data} rows={all} />
    </ReportTable>
  )
}

function rowsOf(data: ReportData): PartRow[] {
  const { parts, closedByPart, daysByPart, owner } = data
  return parts.map((part) => {
    const key = part.start.toISOString()
    const groups = closedByPart.filter(({ group }) => group['closed_at:period'] === key)
    const filters = { ...within('closed_at', part), ...ownedBy(owner) }
    return { key, part, days: daysByPart.get(key) ?? null, ...closedOf(data, groups, filters) }
  })
}

/** The won value: a chart for each currency that the table has, the most common ones first. */
function Charts({ data, rows }: { data: ReportData; rows: readonly PartRow[] }) {
  const used = currenciesIn(rows.map(({ won }) => won))
  const known = data.currencies.filter((each) => used.includes(each))
  const { span, stages, owner } = data
  return [...new Set([...known, ...used])].map((currency) => (
    <Bars
      key={currency}
      bars={rows.map(({ part }) => part)}
      layers={[
        {
          name: 'won',
          label: used.length > 1 ? t('Won in {currency}', { currency }) : t('Won'),
          color: '--bar-succeeded',
          values: rows.map(({ won }) => sumIn(won, currency)),
        },
      ]}
      whole={dayRange(span.start, span.end)}
      text={(value) => money(value, currency)}
      href={(_, at) =>
        listHref('deal', {
          ...within('closed_at', at === undefined ? span : rows[at]!.part),
          ...inStages(stages.won),
          ...ownedBy(owner),
          currency,
        })
      }
    />
  ))
}
