import { MessagesSquare } from 'lucide'
import { useState } from 'preact/hooks'
import { useNews } from '../data/news.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { activityIcons } from '../parts/activity-icons.ts'
import { Author } from '../parts/author.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { LinkedText } from '../parts/linked-text.tsx'
import { T } from '../parts/rich-text.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { ActivityFacts } from './activity-facts.tsx'
import { Composer } from './composer.tsx'
import { loadActivities } from './timeline-activities.ts'

const pageSize = 20

interface TimelineProps {
  /** The activities' field that refers to the record. */
  field: string
  of: string
  row: Row
}

/** The activities of a record, newest first, with a form to log one. A deal also has those of the people on it, each marked with the person. */
export function Timeline({ field, of, row }: TimelineProps) {
  const [limit, setLimit] = useState(pageSize)
  const loaded = useData(
    (signal) => loadActivities({ of, field, row, limit }, signal),
    [row.id, limit, row.stage_id, JSON.stringify(row.contacts)],
  )
  useNews(({ resource }) => resource === 'activity', loaded.refresh)
  return (
    <>
      <Composer key={row.id} {...{ of, row }} onLogged={loaded.reload} />
      {!loaded.data && <LoadingOrError of={loaded} />}
      {loaded.data?.data.length === 0 && (
        <Empty icon={MessagesSquare} title={t('Nothing logged yet')}>
          {t('Log the first call, email, meeting, note or rating.')}
        </Empty>
      )}
      <ol class="timeline">
        {loaded.data?.data.map((activity) => (
          <Entry key={activity.id} activity={activity} isOwn={activity[field] === row.id} />
        ))}
      </ol>
      {loaded.data?.hasMore && (
        <div>
          <button type="button" class="button" onClick={() => setLimit(limit + pageSize)}>
            {t('Show older')}
          </button>
        </div>
      )}
    </>
  )
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
