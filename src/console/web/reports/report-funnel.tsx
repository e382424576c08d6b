import { Handshake } from 'lucide'
import type { Row } from '../data/resource-views.ts'
import { type DealGroup, type Figure, figureOf, groupsIn } from '../deals/deal-figures.ts'
import { inStages, type ListFilters, ownedBy, within } from '../deals/deal-links.ts'
import { Empty } from '../parts/empty.tsx'
import { percent } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import { countColumn, percentOf, valueColumn } from './report-cells.tsx'
import type { ReportData } from './report-data.ts'
import { type ReportColumn, ReportTable } from './report-table.tsx'

interface StageRow {
  key: string
  stage: Row
  /** Its deals now, and their weighted sums. */
  now: Figure
  weighted: Figure
  filters: ListFilters
  /** How many of the deals that were created in the span are in it now. */
  created: number
}

/** How many deals are in each stage now, and where those are that were created in the span. */
export function ReportFunnel({ data }: { data: ReportData }) {
  const rows = rowsOf(data)
  const all = rows.reduce((sum, { created }) => sum + created, 0)
  return (
    <ReportTable
      title={t('Funnel')}
      file="funnel"
      columns={columnsOf(data, rows, all)}
      rows={data.now.length === 0 ? [] : rows}
      empty={
        <Empty inCard icon={Handshake} title={t('No deals')}>
          {t('The stages of the pipeline are compared here once they have deals.')}
        </Empty>
      }
    >
      <p class="muted small">{conversionText(data, all)}</p>
    </ReportTable>
  )
}

function rowsOf(data: ReportData): StageRow[] {
  const { stages, currencies, owner, created } = data
  return stages.all.map((stage) => {
    const groups: readonly DealGroup[] = groupsIn(data.now, [stage])
    return {
      key: stage.id,
      stage,
      now: figureOf(groups, currencies),
      weighted: figureOf(groups, currencies, 'weighted:value'),
      filters: { ...inStages([stage]), ...ownedBy(owner) },
      created: created.get(stage.id) ?? 0,
    }
  })
}

function columnsOf(data: ReportData, rows: readonly StageRow[], all: number): ReportColumn<StageRow>[] {
  const most = Math.max(1, ...rows.map(({ now }) => now.deals))
  const weighted = valueColumn(t('Weighted'), rows, (row) => row.weighted)
  return [
    {
      label: t('Stage'),
      cell: ({ stage, now }) => (
        <div class="stack tight">
          <bdi>{stage.name}</bdi>
          <div class="meter">
            <div style={{ width: `${(now.deals / most) * 100}%`, backgroundColor: stage.color }} />
          </div>
        </div>
      ),
      plain: { [t('Stage')]: ({ stage }) => stage.name },
    },
    countColumn(t('Deals now'), ({ now }) => now.deals),
    valueColumn(t('Value now'), rows, ({ now }) => now),
    { ...weighted, cell: (row) => (row.stage.kind === 'open' ? weighted.cell(row) : <span class="muted">–</span>) },
    countColumn(t('New deals'), ({ created }) => created, within('created_at', data.span)),
    {
      label: t('Share of new'),
      end: true,
      cell: ({ created }) => (all === 0 ? <span class="muted">–</span> : percent(created / all)),
      plain: { [t('Share of new in percent')]: ({ created }) => percentOf(all === 0 ? undefined : created / all) },
    },
  ]
}

/** What has become of the deals that were created in the span. */
function conversionText({ stages, created }: ReportData, all: number): string {
  if (all === 0) return t('No deal was created in this period.')
  const of = (kind: 'open' | 'won' | 'lost') =>
    stages[kind].reduce((sum, { id }) => sum + (created.get(id) ?? 0), 0) / all
  const deals = counted('{n} deal that was|{n} deals that were', all)
  return t(
    'Of {deals} created in this period, {percent} are won by now, {percent2} are lost, and {percent3} are open.',
    { deals, percent: percent(of('won')), percent2: percent(of('lost')), percent3: percent(of('open')) },
  )
}
