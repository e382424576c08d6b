import { CalendarCheck, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { type ChangeList, type ListState, useListState } from '../data/list-state.ts'
import { viewOf } from '../data/resource-views.ts'
import { ExportButton } from '../lists/export-button.tsx'
import { type ListData, pageNames, useListData } from '../lists/list-data.ts'
import { ListPlaceholder, NoMatch } from '../lists/no-match.tsx'
import { OwnerFilter } from '../lists/owner-filter.tsx'
import { Toolbar } from '../lists/toolbar.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { keyFor } from '../parts/key-presses.ts'
import { Pager } from '../parts/pager.tsx'
import { Segments } from '../parts/segments.tsx'
import { useTitle } from '../parts/use-title.ts'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { UnknownView } from '../saved-views/unknown-view.tsx'
import { useViews } from '../saved-views/use-views.ts'
import { now } from '../session/now.ts'
import { session } from '../session/session.ts'
import { startOfDay, wholeDay } from '../text/days.ts'
import { counted, t } from '../text/texts.ts'
import { TaskGroups } from './task-groups.tsx'

const open = { 'filter[status][in]': 'pending,in_progress' }

type Query = Record<string, string>

interface Tab {
  name: string
  label: string
  /** The parts of the list, shown one below the other. Empty ones are left out. */
  parts(): Query[]
  /** Whether the tasks are grouped by their due dates. */
  byDay: boolean
  /** Whose tasks these are, if the tab decides it: the id of a user, or '' for nobody's. */
  owner?: () => string
  /** The text that is shown if there are none; default: that of the resource. */
  empty?: string
}

/** The tasks by due date, the earliest first. Those without a date are a second part, because the API sorts them first. */
function sortedByDay(query: Query): Query[] {
  return [
    { ...query, 'filter[due_date][ne]': 'null', sort: 'due_date:asc,priority:desc' },
    { ...query, 'filter[due_date]': 'null', sort: 'priority:desc' },
  ]
}

const tabs: Tab[] = [
  {
    name: 'mine',
    label: t('Mine'),
    parts: () => sortedByDay({ ...open, 'filter[assigned_to]': session.value!.user.id }),
    byDay: true,
    owner: () => session.value!.user.id,
    empty: t('Nothing is assigned to you. Create a task, or pick one from all.'),
  },
  {
    name: 'today',
    label: t('Due today'),
    parts: dueToday,
    byDay: true,
    empty: t('Nothing is due today.'),
  },
  {
    name: 'overdue',
    label: t('Overdue'),
    // Not those that are due for the whole of today or tomorrow.
    parts: () =>
      dated({
        'filter[due_date][lt]': now().toISOString(),
        'filter[due_date][ne]': wholeDay(now()),
        'due_date[ne]': wholeDay(now(), 1),
      }),
    byDay: true,
    empty: t('Nothing is overdue. Well done.'),
  },
  { name: 'open', label: t('All open'), parts: () => sortedByDay(open), byDay: true },
  {
    name: 'unassigned',
    label: t('Unassigned'),
    parts: () => sortedByDay({ ...open, 'filter[assigned_to]': 'null' }),
    byDay: true,
    owner: () => '',
    empty: t('Every open task has an owner.'),
  },
  {
    name: 'done',
    label: t('Done'),
    parts: () => [{ 'filter[status]': 'completed', sort: 'updated_at:desc' }],
    byDay: false,
    empty: t('Completed tasks appear here.'),
  },
  { name: 'all', label: t('All'), parts: () => sortedByDay({}), byDay: true },
]

/** West of Greenwich, midnight UTC is in the evening before the day that it stands for. */
function dueToday(): Query[] {
  const [start, today] = [startOfDay(now()).toISOString(), wholeDay(now())]
  const range = dated({
    'filter[due_date][gte]': start,
    'filter[due_date][lt]': startOfDay(now(), 1).toISOString(),
    'filter[due_date][ne]': wholeDay(now(), 1),
  })
  return today < start ? [...range, ...dated({ 'filter[due_date]': today })] : range
}

/** The open tasks of some due dates. */
function dated(query: Query): Query[] {
  return [{ ...open, ...query, sort: 'due_date:asc,priority:desc' }]
}

/** The tasks, in tabs. */
export function Tasks() {
  useTitle(t('Tasks'))
  const [state, change] = useListState()
  const tab = tabs.find(({ name }) => name === state.show) ?? tabs[0]!
  const views = useViews('task', state)
  const [creating, setCreating] = useState(false)
  const loaded = useListData('task', state, change, {
    partsOf: tab.parts,
    view: views.chosen,
  })
  return (
    <div class="page">
      <div class="heading">
        <h1>{t('Tasks')}</h1>
        <div class="row">
          <ExportButton of="task" state={state} columns={viewOf('task').columns} />
          <button
            type="button"
            class="button primary"
            aria-keyshortcuts={keyFor('c')}
            onClick={() => setCreating(true)}
          >
            <Icon of={Plus} /> {t('New task')}
          </button>
        </div>
      </div>
      <Tabs current={tab} onShow={(to) => change({ show: to.name, filters: filtersIn(to, state) })} />
      <Toolbar of="task" {...{ state, views }} onChange={change}>
        <Owner {...{ tab, state, change }} />
        {loaded.data && !loaded.error && !views.isUnknown && <Total of={loaded.data} />}
      </Toolbar>
      {views.isUnknown ? (
        <UnknownView onChange={change} />
      ) : loaded.data && !loaded.error ? (
        <Parts {...{ tab, state, change }} of={loaded.data} busy={loaded.loading} onDone={loaded.reload} />
      ) : (
        <ListPlaceholder of={loaded} state={state} onChange={change} />
      )}
      {creating && (
        <RecordForm
          of="task"
          preset={{ assigned_to: { id: session.value!.user.id, label: session.value!.user.full_name } }}
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

function Tabs({ current, onShow }: { current: Tab; onShow: (tab: Tab) => void }) {
  return (
    <Segments label={t('Which tasks')}>
      {tabs.map((tab) => (
        <button key={tab.name} type="button" aria-pressed={tab === current} onClick={() => onShow(tab)}>
          {tab.label}
        </button>
      ))}
    </Segments>
  )
}

/** The filters that stay when a tab is shown: not that of the owner, if the tab decides whose tasks it shows. */
function filtersIn(tab: Tab, { filters: { assigned_to, ...others } }: ListState): ListState['filters'] {
  return { ...others, ...(assigned_to !== undefined && !tab.owner && { assigned_to }) }
}

interface OwnerProps {
  tab: Tab
  state: ListState
  change: ChangeList
}

/** Whose tasks are shown. If the tab decides that, another owner leads to all open tasks. */
function Owner({ tab, state, change }: OwnerProps) {
  const { assigned_to = '', ...others } = state.filters
  const choose = (id: string) =>
    change({ filters: { ...others, ...(id !== '' && { assigned_to: id }) }, ...(tab.owner && { show: 'open' }) })
  return <OwnerFilter of="task" owner={tab.owner ? tab.owner() || 'null' : assigned_to} onOwner={choose} />
}

/** The number of tasks in all parts. */
function Total({ of: { pages } }: { of: ListData }) {
  const total = pages.reduce((sum, { pagination }) => sum + pagination.total, 0)
  return (
    <p class="muted small number total" role="status">
      {counted('{n} task|{n} tasks', total)}
    </p>
  )
}

interface PartsProps {
  tab: Tab
  of: ListData
  state: ListState
  change: ChangeList
  busy: boolean
  onDone: () => void
}

function Parts({ tab, of: { pages, searched, narrowed }, state, change, busy, onDone }: PartsProps) {
  const shown = pages.map((page, at) => ({ page, at })).filter(({ page }) => page.pagination.total > 0)
  if (shown.length === 0) {
    return (
      <div class="card" aria-busy={busy}>
        {narrowed ? (
          <NoMatch onChange={change} />
        ) : (
          <Empty icon={CalendarCheck} title={tab.label}>
            {tab.empty ?? viewOf('task').empty}
          </Empty>
        )}
      </div>
    )
  }
  return shown.map(({ page: { data, pagination }, at }) => {
    const name = pageNames[at]!
    return (
      <TaskGroups key={at} tasks={data} byDay={tab.byDay} busy={busy} onDone={onDone}>
        {pagination.total > pagination.limit && (
          <Pager of={pagination} at={state[name]} onPage={(page) => change({ [name]: page })} searched={searched} />
        )}
      </TaskGroups>
    )
  })
}
