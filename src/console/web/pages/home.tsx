import { CalendarCheck, Handshake, MessagesSquare } from 'lucide'
import { startOfDay } from '../days.ts'
import { plural, word } from '../format.ts'
import { list } from '../http.ts'
import { useNews } from '../news.ts'
import { now } from '../now.ts'
import { Author } from '../parts/author.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingOrError, WhenLoaded } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { LatestChanges } from '../parts/latest-changes.tsx'
import { TaskRow } from '../parts/task-row.tsx'
import { activityIcons } from '../parts/timeline.tsx'
import { Moment } from '../parts/value.tsx'
import { loadTotals, type StageTotals, sumText } from '../pipeline-sums.ts'
import { href } from '../place.ts'
import { session } from '../session.ts'
import { useData } from '../use-data.ts'
import { useReturn } from '../use-return.ts'
import { useTitle } from '../use-title.ts'
import { includeOf, type Row, relatedTitle, titleOf, viewOf } from '../views.ts'

const shownMax = 8

/** The start page: the pipeline, due tasks, the latest activities and the latest changes. */
export function Home() {
  useTitle('Home')
  const [first] = session.value!.user.full_name.split(' ')
  return (
    <div class="page">
      <h1>Good to see you, {first}</h1>
      <PipelineByStage />
      <div class="grid-2">
        <Due />
        <Latest />
      </div>
      <LatestChanges />
    </div>
  )
}

function PipelineByStage() {
  const stages = useData((signal) => list<Row>('/api-v1-stages', { limit: 100 }, signal), [])
  const sums = useData((signal) => loadTotals({}, signal), [])
  useReturn(stages.reload)
  useReturn(sums.reload)
  useNews(({ resource }) => resource === 'stage', stages.refresh)
  useNews(({ resource }) => ['stage', 'deal'].includes(resource), sums.refresh)
  return (
    <section class="card" aria-label="Pipeline">
      <header>
        <h2>Pipeline</h2>
        <a href={href('/pipeline')}>Open the board</a>
      </header>
      <div class="body">
        {stages.data && sums.data ? (
          <Stages stages={stages.data.data} totals={sums.data} />
        ) : (
          <LoadingOrError of={stages.error ? stages : sums} />
        )}
      </div>
    </section>
  )
}

function Stages({ stages, totals }: { stages: Row[]; totals: StageTotals }) {
  const most = Math.max(1, ...[...totals.values()].map(({ deals }) => deals))
  if (totals.size === 0) {
    return (
      <Empty
        icon={Handshake}
        title="No deals yet"
        actions={
          <a class="button primary" href={href('/deals')}>
            Go to deals
          </a>
        }
      >
        Your pipeline is shown here once it has a deal.
      </Empty>
    )
  }
  return (
    <ul class="stack">
      {stages.map((stage) => {
        const total = totals.get(stage.id)
        return (
          <li key={stage.id} class="stack tight">
            <div class="row apart">
              <span>{stage.name}</span>
              <span class="muted small number">
                {plural(total?.deals ?? 0, 'deal')}
                {total && ` · ${sumText(total.values)}`}
              </span>
            </div>
            <div class="meter">
              <div style={{ width: `${((total?.deals ?? 0) / most) * 100}%`, backgroundColor: stage.color }} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function Due() {
  const endOfToday = startOfDay(now(), 1).toISOString()
  const query = {
    'filter[assigned_to]': session.value!.user.id,
    'filter[status][in]': 'pending,in_progress',
    'filter[due_date][lt]': endOfToday,
    sort: 'due_date:asc',
    include: includeOf('task'),
    limit: shownMax,
  }
  const loaded = useData((signal) => list<Row>('/api-v1-tasks', query, signal), [])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource === 'task', loaded.refresh)
  return (
    <section class="card" aria-label="Tasks due">
      <header>
        <h2>Your tasks due</h2>
        <a href={href('/tasks')}>All tasks</a>
      </header>
      <WhenLoaded loaded={loaded}>
        {loaded.data?.data.length === 0 ? (
          <Empty icon={CalendarCheck} title="Nothing is due">
            Tasks that are assigned to you appear here on the day they are due.
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

function Latest() {
  const query = { limit: shownMax, include: includeOf('activity') }
  const loaded = useData((signal) => list<Row>('/api-v1-activities', query, signal), [])
  useReturn(loaded.reload)
  useNews(({ resource }) => resource === 'activity', loaded.refresh)
  return (
    <section class="card" aria-label="Latest activity">
      <header>
        <h2>Latest activity</h2>
        <a href={href('/activities')}>All activities</a>
      </header>
      <WhenLoaded loaded={loaded}>
        {loaded.data?.data.length === 0 ? (
          <Empty icon={MessagesSquare} title="Nothing logged yet">
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
    </section>
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
