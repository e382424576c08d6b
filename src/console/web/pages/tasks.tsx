import { CalendarCheck, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { startOfDay } from '../days.ts'
import { list, type Page } from '../http.ts'
import { Empty } from '../parts/empty.tsx'
import { Unloaded } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { Segments } from '../parts/segments.tsx'
import { Pager } from '../parts/table.tsx'
import { TaskRow } from '../parts/task-row.tsx'
import { who } from '../session.ts'
import { useData } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { type Row, views } from '../views.ts'

const pageSize = 50
const open = { 'filter[status][in]': 'pending,in_progress' }

type Query = Record<string, string>

interface Tab {
  name: string
  label: string
  /** Shown one below the other; all but the first only where there are any. */
  parts(): { title?: string; query: Query }[]
  empty: string
}

/** By day, the earliest first; lists put what has no day before all others, where nobody would look for it. */
function byDay(query: Query): ReturnType<Tab['parts']> {
  return [
    { query: { ...query, 'filter[due_date][ne]': 'null', sort: 'due_date:asc,priority:desc' } },
    { title: 'Without a date', query: { ...query, 'filter[due_date]': 'null', sort: 'priority:desc' } },
  ]
}

const tabs: Tab[] = [
  {
    name: 'mine',
    label: 'Mine',
    parts: () => byDay({ ...open, 'filter[assigned_to]': who.value!.user.id }),
    empty: 'Nothing is assigned to you. Create a task, or pick one from all.',
  },
  {
    name: 'today',
    label: 'Due today',
    parts: () => [
      {
        query: {
          ...open,
          'filter[due_date][gte]': today(0),
          'filter[due_date][lt]': today(1),
          sort: 'priority:desc,due_date:asc',
        },
      },
    ],
    empty: 'Nothing is due today.',
  },
  {
    name: 'overdue',
    label: 'Overdue',
    parts: () => [
      { query: { ...open, 'filter[due_date][lt]': new Date().toISOString(), sort: 'due_date:asc,priority:desc' } },
    ],
    empty: 'Nothing is overdue. Well done.',
  },
  { name: 'open', label: 'All open', parts: () => byDay(open), empty: views.task!.empty },
  {
    name: 'done',
    label: 'Done',
    parts: () => [{ query: { 'filter[status]': 'completed', sort: 'updated_at:desc' } }],
    empty: 'Completed tasks show here.',
  },
]

function today(days: number): string {
  return startOfDay(new Date(), days).toISOString()
}

/** What to do: mine, today's, what is overdue. */
export function Tasks() {
  useTitle('Tasks')
  const { path, query, route } = useLocation()
  const tab = tabs.find(({ name }) => name === query.show) ?? tabs[0]!
  const pages = [query.page, query.rest].map((page) => Math.max(1, Number(page) || 1))
  const [creating, setCreating] = useState(false)
  const parts = tab.parts()
  const loaded = useData(
    (signal) => Promise.all(parts.map((part, at) => listTasks(part.query, pages[at]!, signal))),
    [tab.name, ...pages],
  )
  const show = (name: string, page = 1, rest = 1) => route(`${path}?show=${name}&page=${page}&rest=${rest}`, true)
  const turn = (part: number) => (to: number) => show(tab.name, part === 0 ? to : pages[0], part === 0 ? pages[1] : to)
  return (
    <div class="page">
      <div class="heading">
        <h1>Tasks</h1>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon of={Plus} /> New task
        </button>
      </div>
      <Tabs current={tab} onShow={show} />
      {loaded.data ? (
        <Parts {...{ tab, turn }} of={loaded.data} titles={parts.map(({ title }) => title)} onDone={loaded.reload} />
      ) : (
        <Unloaded of={loaded} />
      )}
      {creating && (
        <RecordForm
          of="task"
          preset={{ assigned_to: { id: who.value!.user.id, label: who.value!.user.full_name } }}
          onClose={() => setCreating(false)}
          onSaved={() => {
            setCreating(false)
            loaded.reload()
          }}
        />
      )}
    </div>
  )
}

function listTasks(query: Query, page: number, signal: AbortSignal): Promise<Page<Row>> {
  return list<Row>('/api-v1-tasks', { ...query, include: views.task!.include, limit: pageSize, page }, signal)
}

function Tabs({ current, onShow }: { current: Tab; onShow: (name: string) => void }) {
  return (
    <Segments label="Which tasks">
      {tabs.map(({ name, label }) => (
        <button key={name} type="button" aria-pressed={name === current.name} onClick={() => onShow(name)}>
          {label}
        </button>
      ))}
    </Segments>
  )
}

interface PartsProps {
  tab: Tab
  of: Page<Row>[]
  titles: (string | undefined)[]
  turn: (part: number) => (page: number) => void
  onDone: () => void
}

function Parts({ tab, of, titles, turn, onDone }: PartsProps) {
  const shown = of.map((page, at) => ({ page, at })).filter(({ page }) => page.pagination.total > 0)
  if (shown.length === 0) {
    return (
      <div class="card">
        <Empty icon={CalendarCheck} title={tab.label}>
          {tab.empty}
        </Empty>
      </div>
    )
  }
  return shown.map(({ page: { data, pagination }, at }) => (
    <section key={at} class="card" aria-label={titles[at] ?? tab.label}>
      {titles[at] && (
        <header>
          <h2>{titles[at]}</h2>
        </header>
      )}
      <ul class="list">
        {data.map((task) => (
          <TaskRow key={task.id} task={task} onDone={onDone} />
        ))}
      </ul>
      {pagination.total > pageSize && (
        <Pager total={pagination.total} page={pagination.page} limit={pageSize} onPage={turn(at)} />
      )}
    </section>
  ))
}
