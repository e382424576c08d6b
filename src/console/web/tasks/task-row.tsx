import { useRef, useState } from 'preact/hooks'
import { isGone, patch, request } from '../data/http.ts'
import { isOverdue } from '../data/late.ts'
import { tellOwn } from '../data/news.ts'
import { type Row, relatedTitle } from '../data/resource-views.ts'
import { focusHeading } from '../parts/focus.ts'
import { notify } from '../parts/notes.tsx'
import { T } from '../parts/rich-text.tsx'
import { single } from '../parts/single-click.ts'
import { Badge, Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { session } from '../session/session.ts'
import { dueAt } from '../text/days.ts'
import { about, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { Reschedule } from './reschedule.tsx'
import { isDone, movedTo, nextDay, type OfferedDay } from './task-days.ts'

interface TaskRowProps {
  task: Row
  /** The resource of the record whose page shows the task: it is not named again. */
  on?: string
  onDone: () => void
}

/** A task with a checkbox that completes it or opens it again, and buttons that move it to another day. */
export function TaskRow({ task, on, onDone }: TaskRowProps) {
  const row = useRef<HTMLLIElement>(null)
  const change = useTaskChange(task, () => {
    if (!on && row.current) leave(row.current) // it may be on another tab by now
    onDone()
  })
  const { id, title, priority } = task
  const done = isDone(task)
  const next = nextDay(task)
  return (
    <li ref={row} class="task">
      <input
        type="checkbox"
        aria-label={t('Complete {title}', { title })}
        checked={done !== change.busy}
        onClick={(event) => event.detail > 1 && event.preventDefault()} // another task may be in the place of this one
        onChange={done ? change.reopen : change.complete}
      />
      <div class="grow">
        <a class={done ? 'done' : ''} href={href(`/tasks/${id}`)}>
          <bdi>{title}</bdi>
        </a>
        <Details task={task} on={on} />
      </div>
      {!['medium', 'low'].includes(priority) && <Badge value={priority} />}
      {next && (
        <button
          type="button"
          class="button small next-day"
          aria-label={about('Move to {noun}: {title}', next.label, { title })}
          onClick={single(() => change.move(next))}
        >
          {next.label}
        </button>
      )}
      {!done && <Reschedule task={task} onMove={change.move} />}
    </li>
  )
}

/** When a task is due, what it is about and whose it is. */
function Details({ task, on }: { task: Row; on: string | undefined }) {
  const { due_date, assigned_user } = task
  const overdue = isOverdue(task)
  const others = [
    relatedTitle(
      task,
      ['deal', 'contact', 'organization'].filter((each) => each !== on),
    ),
    assigned_user && assigned_user.id !== session.value!.user.id && assigned_user.full_name,
  ].filter(Boolean)
  return (
    <div class="muted small">
      {due_date && (
        <span class={overdue ? 'fault' : ''}>
          <T text={overdue ? 'was due {time}' : 'due {time}'} time={<Moment at={dueAt(due_date)} />} />
        </span>
      )}
      {others.map((text, at) => (
        <span key={text}>
          {(due_date || at > 0) && ' · '}
          <bdi>{text}</bdi>
        </span>
      ))}
    </div>
  )
}

/**
 * If the focus is in a row that is about to disappear, moves it to the next row, or else to the previous one: from a checkbox to a
 * checkbox, from a button to the link, so that a key that is pressed again completes nothing.
 */
function leave(row: HTMLElement): void {
  const focused = document.activeElement
  if (!row.contains(focused)) return
  const rows = [...document.querySelectorAll<HTMLElement>('main .list > .task')]
  const at = rows.indexOf(row)
  const next = (rows[at + 1] ?? rows[at - 1])?.querySelector<HTMLElement>(focused!.matches('input') ? 'input' : 'a')
  if (next) next.focus()
  else focusHeading()
}

/** Changes a task and shows a notification of it. */
export function useTaskChange({ id, title, due_date }: Row, onDone: () => void) {
  const [busy, setBusy] = useState(false)
  const path = `/api-v1-tasks/${id}`
  const change = async (text: string, send: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    try {
      notifyChange(text, await send())
      onDone()
      tellOwn('task', id)
    } catch (error) {
      if (!isGone(error)) return notify((error as Error).message)
      notify(t('{title} has been deleted in the meantime.', { title }))
      onDone()
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    complete: () => change(t('Done: {title}', { title }), () => request('PATCH', `${path}/complete`)),
    reopen: () => change(t('Open again: {title}', { title }), () => patch(path, { status: 'pending' })),
    move: (to: OfferedDay | undefined) =>
      change(`${to ? to.label : t('Without a date')}: ${title}`, () =>
        patch(path, { due_date: to ? (to.moment?.toISOString() ?? movedTo(to.day, due_date)) : null }),
      ),
  }
}
