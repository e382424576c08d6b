import { CalendarClock } from 'lucide'
import { localDay, startOfDay } from '../days.ts'
import type { Stages } from '../deal-figures.ts'
import { inStages, listHref, ownedBy } from '../deal-links.ts'
import { amount, day } from '../format.ts'
import { list } from '../http.ts'
import { useNews } from '../news.ts'
import { now } from '../now.ts'
import { href } from '../place.ts'
import { counted, t } from '../texts.ts'
import { useData } from '../use-data.ts'
import { useReturn } from '../use-return.ts'
import type { Row } from '../views.ts'
import { Empty } from './empty.tsx'
import { WhenLoaded } from './error-notice.tsx'

const shownMax = 8
const daysAhead = 14

/** The open deals that are expected to close in the next two weeks, or should have closed. */
export function HomeClosing({ owner, stages }: { owner: string | undefined; stages: Stages }) {
  const filters = {
    ...inStages(stages.open),
    ...ownedBy(owner),
    'expected_close_date[lte]': localDay(startOfDay(now(), daysAhead)),
  }
  const query = { ...filters, sort: 'expected_close_date', include: 'organization,assigned_user', limit: shownMax }
  const loaded = useData((signal) => list<Row>('/api-v1-deals', query, signal), [JSON.stringify(query)])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource === 'deal', loaded.refresh)
  const total = loaded.data?.pagination.total ?? 0
  return (
    <section class="card" aria-label={t('Closing soon')}>
      <header>
        <h2>{t('Closing soon')}</h2>
        <a href={listHref('deal', { ...filters, sort: 'expected_close_date' })}>
          {total === 0 ? t('All deals') : counted('{n} deal|{n} deals', total)}
        </a>
      </header>
      <WhenLoaded loaded={loaded}>
        {total === 0 ? (
          <Empty icon={CalendarClock} title={t('Nothing closes soon')}>
            {t('Open deals whose expected close date is in the next two weeks, or has passed, appear here.')}
          </Empty>
        ) : (
          <ul class="list">
            {loaded.data?.data.map((deal) => (
              <ClosingDeal key={deal.id} deal={deal} />
            ))}
          </ul>
        )}
      </WhenLoaded>
    </section>
  )
}

function ClosingDeal({ deal }: { deal: Row }) {
  const { id, title, value, currency, expected_close_date, organization, assigned_user } = deal
  const isOverdue = expected_close_date < localDay(now())
  const date = day(expected_close_date)
  const about = [organization?.name, assigned_user?.full_name].filter(Boolean)
  return (
    <li>
      <div class="grow">
        <a href={href(`/deals/${id}`)}>
          <bdi>{title}</bdi>
        </a>
        <div class="muted small">
          <span class={isOverdue ? 'fault' : ''}>
            {isOverdue ? t('should have closed {date}', { date }) : t('closes {date}', { date })}
          </span>
          {about.map((text) => (
            <span key={text}>
              {' · '}
              <bdi>{text}</bdi>
            </span>
          ))}
        </div>
      </div>
      <span class="number">{amount(value, currency)}</span>
    </li>
  )
}
