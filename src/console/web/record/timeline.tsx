import { MessagesSquare } from 'lucide'
import { useState } from 'preact/hooks'
import type { Page } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { MailThread } from '../mail/mail-thread.tsx'
import { type Thread, threadsOf, useCounts, useMails } from '../mail/threads-of-record.ts'
import { activityIcons } from '../parts/activity-icons.ts'
import { Author } from '../parts/author.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { LinkedText } from '../parts/linked-text.tsx'
import { Older } from '../parts/older.tsx'
import { T } from '../parts/rich-text.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { ActivityFacts } from './activity-facts.tsx'
import { Composer } from './composer.tsx'
import { type Activities, loadActivities, occurredAt } from './timeline-activities.ts'

const pageSize = 20

interface TimelineProps {
  /** The activities' field that refers to the record. */
  field: string
  of: string
  row: Row
}

/**
 * The activities of a record and its mails in their threads, newest first, with a form to log an activity. A deal also has the activities of the
 * people on it, each marked with the person.
 */
export function Timeline({ field, of, row }: TimelineProps) {
  const [limit, setLimit] = useState(pageSize)
  const loaded = useData(
    (signal) => loadActivities({ of, field, row, limit }, signal),
    [row.id, limit, row.stage_id, JSON.stringify(row.contacts)],
  )
  useNews(({ resource }) => resource === 'activity', loaded.refresh)
  const mails = useMails(of, row.id, limit)
  const shown = loaded.data && (mails.data || mails.error) ? mergedOf(loaded.data, mails.data) : undefined
  const counts = useCounts(shown?.entries.flatMap(({ thread }) => thread ?? []) ?? [], mails.data)
  return (
    <>
      <Composer key={row.id} {...{ of, row }} onLogged={loaded.reload} />
      {!loaded.data && <LoadingOrError of={loaded} />}
      {loaded.data && !mails.data && <LoadingOrError of={mails} />}
      {shown?.entries.length === 0 && !mails.error && (
        <Empty icon={MessagesSquare} title={t('Nothing logged yet')}>
          {t('Log the first call, email, meeting, note or rating.')}
        </Empty>
      )}
      <ol class="timeline">
        {shown?.entries.map(({ activity, thread }) =>
          thread ? (
            <MailThread key={thread.id} thread={thread} count={counts.get(thread.id)} onChanged={mails.reload} />
          ) : (
            <Entry key={activity!.id} activity={activity!} isOwn={activity![field] === row.id} />
          ),
        )}
      </ol>
      <Older of={loaded.error ? loaded : mails} hasMore={shown?.hasMore} onMore={() => setLimit(limit + pageSize)} />
    </>
  )
}

interface TimelineEntry {
  atMs: number
  activity?: Row
  thread?: Thread
}

/** Activities and threads in one order. What would be among older ones that are not loaded yet is left out. */
function mergedOf(
  activities: Activities,
  mails: Page<Row> | undefined,
): { entries: TimelineEntry[]; hasMore: boolean } {
  const told = activities.data.map((activity) => ({ atMs: Date.parse(occurredAt(activity)), activity }))
  const sent = (mails?.data ?? []).map((mail) => Date.parse(mail.received_at))
  const ends = [activities.hasMore && told.at(-1)!.atMs, mails?.pagination.has_more && sent.at(-1)!]
  const endMs = Math.max(...ends.map((end) => (typeof end === 'number' ? end : Number.NEGATIVE_INFINITY)))
  const threads = threadsOf(mails?.data ?? []).map((thread) => ({
    atMs: Date.parse(thread.messages[0].received_at),
    thread,
  }))
  const entries = [...told, ...threads].filter(({ atMs }) => atMs >= endMs)
  return { entries: entries.sort((a, b) => b.atMs - a.atMs), hasMore: Number.isFinite(endMs) }
}

interface EntryProps {
  activity: Row
  /** Otherwise it is one of a person on the deal. */
  isOwn: boolean
}

function Entry({ activity, isOwn }: EntryProps) {
  const { type, subject, description, contact } = activity
  return (
    <li>
      <span class="mark">
        <Icon of={activityIcons[type]} />
      </span>
      <div class="stack tight">
        <div>
          <strong>{subject ?? word(type)}</strong>
          <div class="muted small">
            {word(type)} · <Author of={activity} /> · <ActivityFacts activity={activity} />
            {!isOwn && contact && (
              <>
                {' · '}
                <T
                  text="with {name}"
                  name={<a href={href(`${resourceOf('contact').page}/${contact.id}`)}>{titleOf('contact', contact)}</a>}
                />
              </>
            )}
          </div>
        </div>
        {description && (
          <p class="text">
            <LinkedText text={description} />
          </p>
        )}
      </div>
    </li>
  )
}
