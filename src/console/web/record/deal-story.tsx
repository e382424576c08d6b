import { actorText, type Change } from '../data/change-log.ts'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { T } from '../parts/rich-text.tsx'
import { Moment } from '../parts/value.tsx'
import { now } from '../session/now.ts'
import { amount, durationText, word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { type Stay, storyOf } from './deal-stays.ts'
import { loadActivities, occurredAt } from './timeline-activities.ts'

interface DealStoryProps {
  deal: Row
  /** Undefined until they are loaded. */
  stages: readonly Row[] | undefined
}

const changesMax = 100
const staysMax = 6
const amountsMax = 3

/** What happened to a deal, in a few lines: how long it was in each stage, how its value changed, and the last activity. */
export function DealStory({ deal, stages }: DealStoryProps) {
  const changes = useData(
    (signal) => list<Change>(`/api-v1-deals/${deal.id}/history`, { limit: changesMax }, signal),
    [deal],
  )
  const asked = { of: 'deal', field: 'deal_id', row: deal, limit: 1 }
  const activities = useData(
    (signal) => loadActivities(asked, signal),
    [deal.id, deal.stage_id, JSON.stringify(deal.contacts)],
  )
  useNews(({ resource }) => resource === 'activity', activities.refresh)
  if (!changes.data || !stages) return null
  const { created, stays, amounts } = storyOf(changes.data.data)
  const last = activities.data?.data[0]
  return (
    <section class="story small" aria-label={t('Summary')}>
      <ol>
        {stays.slice(-staysMax).map((stay, at) => (
          <li key={at}>
            <Step stay={stay} stage={stages.find(({ id }) => id === stay.stage)} />
          </li>
        ))}
      </ol>
      <dl>
        {created && (
          <div>
            <dt>{t('Created')}</dt>
            <dd>
              <Moment at={created.at} /> · {actorText(created.actor)}
            </dd>
          </div>
        )}
        {amounts.length > 1 && (
          <div>
            <dt>{t('Value')}</dt>
            <dd class="number">
              {amounts
                .slice(-amountsMax)
                .map(({ value, currency }) => amount(value, currency))
                .join(' → ')}
            </dd>
          </div>
        )}
        {activities.data && (
          <div>
            <dt>{t('Last activity')}</dt>
            <dd>
              {last ? (
                <>
                  {word(last.type)} · <Moment at={occurredAt(last)} />
                </>
              ) : (
                t('None yet')
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** A stage with the time that the deal was in it; the last one with the day since when it is there. */
function Step({ stay: { since, until }, stage }: { stay: Stay; stage: Row | undefined }) {
  const end = until ? new Date(until) : now()
  return (
    <>
      <strong>{stage?.name ?? t('A deleted stage')}</strong>{' '}
      {since && until && <span class="muted">{durationText(end.getTime() - Date.parse(since))}</span>}
      {since && !until && (
        <span class="muted">
          <T text="since {time}" time={<Moment at={since} />} />
        </span>
      )}
    </>
  )
}
