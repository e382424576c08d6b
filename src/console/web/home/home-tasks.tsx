import { CalendarCheck } from 'lucide'
import { list } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { includeOf, type Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Empty } from '../parts/empty.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { now } from '../session/now.ts'
import { href } from '../session/place.ts'
import { TaskRow } from '../tasks/task-row.tsx'
import { localDay, startOfDay, wholeDay } from '../text/days.ts'
import { counted, t } from '../text/texts.ts'

const shownMax = 8

/** The open tasks that are overdue or due today, the earliest first. */
export function HomeTasks({ owner }: { owner: string | undefined }) {
  const query = {
    'filter[assigned_to]': owner,
    'filter[status][in]': 'pending,in_progress',
    'filter[due_date][lt]': startOfDay(now(), 1).toISOString(),
    'filter[due_date][ne]': wholeDay(now(), 1),
    sort: 'due_date:asc',
    include: includeOf('task'),
    limit: shownMax,
  }
  const loaded = useData((signal) => list<Row>('/api-v1-tasks', query, signal), [owner])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource === 'task', loaded.refresh)
  const show = owner === undefined ? 'open' : 'mine'
  const dueHref = href(`/tasks?${new URLSearchParams({ show, 'due_date[lte]': localDay(now()) })}`)
  const total = loaded.data?.pagination.total ?? 0
  return (
    <section class="card" aria-label={t('Tasks due')}>
      <header>
        <h2>{owner === undefined ? t('Tasks due') : t('Your tasks due')}</h2>
        {total > 0 ? (
          <a href={dueHref}>{counted('{n} task due|{n} tasks due', total)}</a>
        ) : (
          <a href={href('/tasks')}>{t('All tasks')}</a>
        )}
      </header>
      <WhenLoaded loaded={loaded}>
        {total === 0 ? (
          <Empty inCard icon={CalendarCheck} title={t('Nothing is due')}>
            {owner === undefined
              ? t('Open tasks appear here on the day they are due.')
              : t('Tasks that are assigned to you appear here on the day they are due.')}
          </Empty>
        ) : (
          <ul class="list">
            {loaded.data?.data.map((task) => (
              <TaskRow key={task.id} task={task} onDone={loaded.reload} />
            ))}
          </ul>
        )}
      </WhenLoaded>
    </section>
  )
}
