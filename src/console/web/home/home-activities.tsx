import { ChartColumn, MessagesSquare } from 'lucide'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { includeOf, type Row, relatedTitle, titleOf, viewOf } from '../data/resource-views.ts'
import { periodsOf, spanQuery, weeksUntil } from '../data/spans.ts'
import { loadGroups } from '../data/summaries.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { listHref, ownedBy, within } from '../deals/deal-links.ts'
import { activityIcons } from '../parts/activity-icons.ts'
import { Author } from '../parts/author.tsx'
import { Bars } from '../parts/bars.tsx'
import { Card } from '../parts/card.tsx'
import { Empty } from '../parts/empty.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/value.tsx'
import { now } from '../session/now.ts'
import { href } from '../session/place.ts'
import { fieldOf } from '../session/session.ts'
import { dayRange, shortDay, word } from '../text/format.ts'
import { t } from '../text/texts.ts'

const shownMax = 8
const weeksShown = 8

interface OwnerProps {
  owner: string | undefined
}

interface TypeGroup {
  group: { 'created_at:period': string; type: string }
  count: number
}

const colors = ['--bar-limited', '--bar-succeeded', '--bar-rejected', '--accent', '--muted']

/** The activities of the last weeks by type. */
export function HomeWeeks({ owner }: OwnerProps) {
  const weeks = weeksUntil(now(), weeksShown)
  const whole = { start: weeks[0]!.start, end: weeks.at(-1)!.end }
  const query = {
    ...spanQuery('created_at', whole),
    user_id: owner,
    group_by: 'created_at:period,type',
    periods: periodsOf(weeks),
  }
  const loaded = useData((signal) => loadGroups<TypeGroup>('activity', query, signal), [owner, query.periods])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource === 'activity', loaded.refresh)
  const bars = weeks.map(({ start, end }) => ({ title: dayRange(start, end), label: shortDay(start) }))
  const layers = fieldOf('activity', 'type').options!.map((type, at) => ({
    name: type,
    label: word(type),
    color: colors[at % colors.length]!,
    values: weeks.map(({ start }) => countOf(loaded.data ?? [], start, type)),
  }))
  return (
    <Card label={t('Activity by week')} beside={<a href={href('/reports')}>{t('Reports')}</a>}>
      <WhenLoaded loaded={loaded}>
        {loaded.data?.length === 0 ? (
          <Empty inCard icon={ChartColumn} title={t('No activity in the last weeks')}>
            {t('Log calls, emails, meetings and notes on the page of a contact, organization or deal.')}
          </Empty>
        ) : (
          <div class="body stack tight">
            <Bars
              label={t('Activities by week and type')}
              whole={dayRange(whole.start, whole.end)}
              {...{ bars, layers }}
              href={({ name }, at) => {
                const span = at === undefined ? whole : weeks[at]!
                return listHref('activity', { ...within('created_at', span), type: name, ...ownedBy(owner, 'user_id') })
              }}
            />
          </div>
        )}
      </WhenLoaded>
    </Card>
  )
}

function countOf(groups: readonly TypeGroup[], start: Date, type: string): number {
  const at = start.toISOString()
  return groups.find(({ group }) => group['created_at:period'] === at && group.type === type)?.count ?? 0
}

/** The latest activities. */
export function HomeActivities({ owner }: OwnerProps) {
  const query = { limit: shownMax, include: includeOf('activity'), user_id: owner }
  const loaded = useData((signal) => list<Row>('/api-v1-activities', query, signal), [owner])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource === 'activity', loaded.refresh)
  return (
    <Card
      label={t('Latest activity')}
      beside={<a href={listHref('activity', ownedBy(owner, 'user_id'))}>{t('All activities')}</a>}
    >
      <WhenLoaded loaded={loaded}>
        {loaded.data?.data.length === 0 ? (
          <Empty inCard icon={MessagesSquare} title={t('Nothing logged yet')}>
            {viewOf('activity').empty}
          </Empty>
        ) : (
          <ul class="list">
            {loaded.data?.data.map((activity) => (
              <LatestRow key={activity.id} activity={activity} />
            ))}
          </ul>
        )}
      </WhenLoaded>
    </Card>
  )
}

function LatestRow({ activity }: { activity: Row }) {
  const { type, created_at } = activity
  const about = relatedTitle(activity, ['contact', 'organization', 'deal'])
  return (
    <li>
      <Icon of={activityIcons[type]} />
      <div class="grow">
        <a href={href(`/activities/${activity.id}`)}>{titleOf('activity', activity)}</a>
        <div class="muted small">
          {word(type)}
          {about && ` · ${about}`} · <Author of={activity} /> · <Moment at={created_at} />
        </div>
      </div>
    </li>
  )
}
