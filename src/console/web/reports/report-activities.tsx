import { MessagesSquare } from 'lucide'
import { viewOf } from '../data/resource-views.ts'
import { type ListFilters, listHref, within } from '../deals/deal-links.ts'
import { Empty } from '../parts/empty.tsx'
import { fieldOf } from '../session/session.ts'
import { number, word } from '../text/format.ts'
import { t } from '../text/texts.ts'
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
        <Empty icon={MessagesSquare} title={t('No activity in this period')}>
          {viewOf('activity').empty}
        </Empty>
      }
    />
  )
}

function columns(): ReportColumn<UserRow>[] {
  const types = fieldOf('activity', 'type').options!
  const totalLabel = t('All')
  return [
    { label: t('User'), cell: ({ name }) => <bdi>{name}</bdi>, plain: { [t('User')]: ({ name }) => name } },
    {
      label: totalLabel,
      end: true,
      cell: ({ total, filters }) => <Count of={total} filters={filters} />,
      plain: { [totalLabel]: ({ total }) => total },
    },
    ...types.map((type) => ({
      label: word(type),
      end: true,
      cell: ({ counts, filters }: UserRow) => <Count of={counts.get(type) ?? 0} filters={{ ...filters, type }} />,
      plain: { [word(type)]: ({ counts }: UserRow) => counts.get(type) ?? 0 },
    })),
  ]
}

function Count({ of, filters }: { of: number; filters: ListFilters }) {
  return of === 0 ? <span class="muted">0</span> : <a href={listHref('activity', filters)}>{number(of)}</a>
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
