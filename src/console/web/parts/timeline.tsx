import { MessagesSquare } from 'lucide'
import { useState } from 'preact/hooks'
import { activityIcons } from '../activity-icons.ts'
import { word } from '../format.ts'
import { list } from '../http.ts'
import { useNews } from '../news.ts'
import { t } from '../texts.ts'
import { useData } from '../use-data.ts'
import type { Row } from '../views.ts'
import { Author } from './author.tsx'
import { Composer } from './composer.tsx'
import { Empty } from './empty.tsx'
import { LoadingOrError } from './error-notice.tsx'
import { Icon } from './icon.tsx'
import { LinkedText } from './linked-text.tsx'
import { Moment } from './value.tsx'

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
  const query = { [`filter[${field}]`]: row.id, include: 'user', limit }
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
  const { type, subject, description, created_at } = activity
  return (
    <li>
      <span class="mark">
        <Icon of={activityIcons[type]} />
      </span>
      <div class="stack tight">
        <div>
          <strong>{subject ?? word(type)}</strong>
          <div class="muted small">
            {word(type)} · <Author of={activity} /> · <Moment at={created_at} />
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
