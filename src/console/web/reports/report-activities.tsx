import { MessagesSquare } from 'lucide'
import { viewOf } from '../data/resource-views.ts'
import { type ListFilters, within } from '../deals/deal-links.ts'
import { Empty } from '../parts/empty.tsx'
import { fieldOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { countColumn } from './report-cells.tsx'
import type { ReportData } from './report-data.ts'
import { type ReportColumn, ReportTable } from './report-table.tsx'

interface UserRow {
  key: string
  name: string
  /** The number of activities by type. */
  counts: ReadonlyMap<string, number>
  total: number
  filters: ListFilters
}

/** How many activities of each type each user has logged, the busiest first. */
export function ReportActivities({ data }: { data: ReportData }) {
  return (
    <ReportTable
      title={t('Activity by user')}
      file="activity-by-user"
      columns={columns()}
      rows={rowsOf(data)}
      empty={
        <Empty inCard icon={MessagesSquare} title={t('No activity in this period')}>
          {viewOf('activity').empty}
        </Empty>
      }
    />
  )
}

function columns(): ReportColumn<UserRow>[] {
  const types = fieldOf('activity', 'type').options!
  return [
    { label: t('User'), cell: ({ name }) => <bdi>{name}</bdi>, plain: { [t('User')]: ({ name }) => name } },
    countColumn(t('All'), ({ total }) => total, {}, 'activity'),
    ...types.map((type) =>
      countColumn<UserRow>(word(type), ({ counts }) => counts.get(type) ?? 0, { type }, 'activity'),
    ),
  ]
}

function rowsOf({ activities, names, span }: ReportData): UserRow[] {
  const byUser = Map.groupBy(activities, ({ group }) => group.user_id)
  const rows = [...byUser].map(([id, groups]) => ({
    key: id ?? '',
    name: id === null ? t('Programs, through the API') : (names.get(id) ?? t('A former user')),
    counts: new Map(groups.map(({ group, count }) => [group.type, count])),
    total: groups.reduce((sum, { count }) => sum + count, 0),
    filters: { ...within('created_at', span), user_id: id ?? 'null' },
  }))
  return rows.sort((a, b) => b.total - a.total || a.name.localeCompare(b.name))
}
