import { UserRound } from 'lucide'
import { within } from '../deals/deal-links.ts'
import { Empty } from '../parts/empty.tsx'
import { t } from '../text/texts.ts'
import { type Closed, closedColumns, closedOf } from './report-cells.tsx'
import type { ReportData } from './report-data.ts'
import { type ReportColumn, ReportTable } from './report-table.tsx'

interface OwnerRow extends Closed {
  key: string
  name: string
}

/** What each owner has won and lost, the one with the most won deals first. */
export function ReportOwners({ data }: { data: ReportData }) {
  const rows = rowsOf(data)
  const columns: ReportColumn<OwnerRow>[] = [
    { label: t('Owner'), cell: ({ name }) => <bdi>{name}</bdi>, plain: { [t('Owner')]: ({ name }) => name } },
    ...closedColumns(data, rows),
  ]
  return (
    <ReportTable
      title={t('Won by owner')}
      file="won-by-owner"
      columns={columns}
      rows={rows}
      empty={
        <Empty inCard icon={UserRound} title={t('No deal was closed')}>
          {t('The owners of the deals that were won or lost are compared here.')}
        </Empty>
      }
    />
  )
}

function rowsOf(data: ReportData): OwnerRow[] {
  const byOwner = Map.groupBy(data.closedByOwner, ({ group }) => group.assigned_to ?? null)
  const rows = [...byOwner].map(([id, groups]) => {
    const filters = { ...within('closed_at', data.span), assigned_to: id ?? 'null' }
    const name = id === null ? t('Nobody') : (data.names.get(id) ?? t('A former user'))
    return { key: id ?? '', name, ...closedOf(data, groups, filters) }
  })
  const closed = rows.filter(({ won, lost }) => won.deals + lost.deals > 0)
  return closed.sort((a, b) => b.won.deals - a.won.deals || a.name.localeCompare(b.name))
}
