import { MessagesSquare } from 'lucide'
import { useState } from 'preact/hooks'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { activityIcons } from '../parts/activity-icons.ts'
import { Author } from '../parts/author.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { LinkedText } from '../parts/linked-text.tsx'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { ActivityFacts } from './activity-facts.tsx'
import { Composer } from './composer.tsx'

const pageSize = 20

interface TimelineProps {
  /** The activities' field that refers to the record. */
  field: string
  of: string
  row: Row
}

/** The activities of a record, newest first, with a form to log one. */
export function Timeline({ field, of, row }: TimelineProps) {
  const [limit, setLimit] = useState(pageSize)
  const query = { [`filter[${field}]`]: row.id, include: 'user', sort: 'occurred_at', limit }
  const loaded = useData((signal) => list<Row>('/api-v1-activities', query, signal), [row.id, limit])
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
          <Entry key={activity.id} activity={activity} />
        ))}
      </ol>
      {loaded.data?.pagination.has_more && (
        <div>
          <button type="button" class="button" onClick={() => setLimit(limit + pageSize)}>
            {t('Show older')}
          </button>
        </div>
      )}
    </>
  )
}

function Entry({ activity }: { activity: Row }) {
  const { type, subject, description } = activity
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
