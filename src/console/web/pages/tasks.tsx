import { CalendarCheck, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { startOfDay } from '../format.ts'
import { list } from '../http.ts'
import { Empty } from '../parts/empty.tsx'
import { Unloaded } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { Pager } from '../parts/table.tsx'
import { TaskRow } from '../parts/task-row.tsx'
import { who } from '../session.ts'
import { useData } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { type Row, views } from '../views.ts'

const dayMs = 86_400_000
const pageSize = 50
const open = { 'filter[status][in]': 'pending,in_progress' }

interface Tab {
  name: string
  label: string
  query(): Record<string, string>
  empty: string
}

const tabs: Tab[] = [
  {
    name: 'mine',
    label: 'Mine',
    query: () => ({ ...open, 'filter[assigned_to]': who.value!.user.id }),
    empty: 'Nothing is assigned to you. Create a task, or pick one from all.',
  },
  {
    name: 'today',
    label: 'Due today',
    query: () => ({ ...open, 'filter[due_date][gte]': today(0), 'filter[due_date][lt]': today(1) }),
    empty: 'Nothing is due today.',
  },
  {
    name: 'overdue',
    label: 'Overdue',
    query: () => ({ ...open, 'filter[due_date][lt]': new Date().toISOString() }),
    empty: 'Nothing is overdue. Well done.',
  },
  { name: 'open', label: 'All open', query: () => open, empty: views.task!.empty },
  {
    name: 'done',
    label: 'Done',
    query: () => ({ 'filter[status]': 'completed' }),
    empty: 'Completed tasks show here.',
  },
]

function today(days: number): string {
  return new Date(startOfDay(new Date()) + days * dayMs).toISOString()
}

/** What to do: mine, today's, what is overdue. */
export function Tasks() {
  useTitle('Tasks')
  const { path, query, route } = useLocation()
  const tab = tabs.find(({ name }) => name === query.show) ?? tabs[0]!
  const page = Math.max(1, Number(query.page) || 1)
  const [creating, setCreating] = useState(false)
  const sort = tab.name === 'done' ? 'updated_at:desc' : 'priority:desc,due_date:asc'
  const parameters = { ...tab.query(), sort, include: views.task!.include, limit: pageSize, page }
  const loaded = useData((signal) => list<Row>('/api-v1-tasks', parameters, signal), [tab.name, page])
  const show = (name: string, next = 1) => route(`${path}?show=${name}${next > 1 ? `&page=${next}` : ''}`, true)
  const { data } = loaded
  return (
    <div class="page">
      <div class="heading">
        <h1>Tasks</h1>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon of={Plus} /> New task
        </button>
      </div>
      <div class="scroll">
        <fieldset class="segments">
          <legend class="unseen">Which tasks</legend>
          {tabs.map(({ name, label }) => (
            <button key={name} type="button" aria-pressed={name === tab.name} onClick={() => show(name)}>
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <div class="card">
        {!data && (
          <div class="body">
            <Unloaded of={loaded} />
          </div>
        )}
        {data?.data.length === 0 && (
          <Empty icon={CalendarCheck} title={tab.label}>
            {tab.empty}
          </Empty>
        )}
        <ul class="list">
          {data?.data.map((task) => (
            <TaskRow key={task.id} task={task} onDone={loaded.reload} />
          ))}
        </ul>
        {data && data.pagination.total > pageSize && (
          <Pager total={data.pagination.total} page={page} limit={pageSize} onPage={(next) => show(tab.name, next)} />
        )}
      </div>
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
