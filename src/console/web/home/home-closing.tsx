import { CalendarClock } from 'lucide'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import type { Stages } from '../deals/deal-figures.ts'
import { inStages, listHref, ownedBy } from '../deals/deal-links.ts'
import { Empty } from '../parts/empty.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { now } from '../session/now.ts'
import { href } from '../session/place.ts'
import { localDay, startOfDay } from '../text/days.ts'
import { amount, day } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'

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
          <Empty inCard icon={CalendarClock} title={t('Nothing closes soon')}>
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
