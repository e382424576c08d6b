import type { ComponentChildren } from 'preact'
import { dueMs } from '../data/late.ts'
import type { Row } from '../data/resource-views.ts'
import { t } from '../text/texts.ts'
import { groupOf } from './task-days.ts'
import { TaskRow } from './task-row.tsx'

interface TaskGroupsProps {
  tasks: readonly Row[]
  /** Whether the tasks have a heading for each day. */
  byDay: boolean
  busy: boolean
  onDone: () => void
  /** Shown below the tasks. */
  children: ComponentChildren
}

/** A card of tasks, with a heading for each day. */
export function TaskGroups({ tasks, byDay, busy, onDone, children }: TaskGroupsProps) {
  const rows = (of: readonly Row[]) => (
    <ul class="list">
      {of.map((task) => (
        <TaskRow key={task.id} task={task} onDone={onDone} />
      ))}
    </ul>
  )
  return (
    <div class="card" aria-busy={busy}>
      {byDay
        ? groupsOf(tasks).map(([title, each]) => (
            <section key={title} class="day" aria-label={title}>
              <h2 class={title === t('Overdue') ? 'fault' : ''}>
                {title} <span class="muted number">{each.length}</span>
              </h2>
              {rows(each)}
            </section>
          ))
        : rows(tasks)}
      {children}
    </div>
  )
}

/** The tasks of each day, by day: those that are due for a whole day have another place in the list than their day. */
function groupsOf(tasks: readonly Row[]): [title: string, tasks: Row[]][] {
  return [...Map.groupBy(tasks, groupOf)].sort(([, [a]], [, [b]]) => dueMs(a!) - dueMs(b!))
}
