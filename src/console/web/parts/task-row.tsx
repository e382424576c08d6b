import { useRef, useState } from 'preact/hooks'
import { focusHeading } from '../focus.ts'
import { isGone, request } from '../http.ts'
import { now } from '../now.ts'
import { href } from '../place.ts'
import { session } from '../session.ts'
import { notifyChange } from '../undo.ts'
import { type Row, relatedTitle } from '../views.ts'
import { notify } from './notes.tsx'
import { Badge, Moment } from './value.tsx'

/** A task with a checkbox that completes it. */
export function TaskRow({ task, onDone }: { task: Row; onDone: () => void }) {
  const box = useRef<HTMLInputElement>(null)
  const { busy, complete } = useCompletion(task, () => {
    leave(box.current!)
    onDone()
  })
  const { id, title, due_date, status, priority, assigned_user } = task
  const done = status === 'completed'
  const about = relatedTitle(task, ['deal', 'contact', 'organization'])
  const overdue = !done && due_date && Date.parse(due_date) < now().getTime()
  return (
    <li>
      <input
        ref={box}
        type="checkbox"
        aria-label={`Complete ${title}`}
        checked={done || busy}
        disabled={done}
        onChange={complete}
      />
      <div class="grow">
        <a href={href(`/tasks/${id}`)}>{title}</a>
        <div class="muted small">
          {due_date && (
            <span class={overdue ? 'fault' : ''}>
              {overdue ? 'was due ' : 'due '}
              <Moment at={due_date} />
            </span>
          )}
          {about && `${due_date ? ' · ' : ''}${about}`}
          {assigned_user &&
            assigned_user.id !== session.value!.user.id &&
            `${due_date || about ? ' · ' : ''}${assigned_user.full_name}`}
        </div>
      </div>
      {!['medium', 'low'].includes(priority) && <Badge value={priority} />}
    </li>
  )
}

/** Moves the focus from a checkbox that is about to disappear to the next one, or else to the previous one. */
function leave(box: HTMLInputElement): void {
  if (document.activeElement !== box) return
  const boxes = [...document.querySelectorAll<HTMLInputElement>('main .list input[type="checkbox"]:enabled')]
  const at = boxes.indexOf(box)
  const other = boxes[at + 1] ?? boxes[at - 1]
  if (other) other.focus()
  else focusHeading()
}

/** Completes a task and shows a notification. */
export function useCompletion({ id, title }: Row, onDone: () => void): { busy: boolean; complete(): Promise<void> } {
  const [busy, setBusy] = useState(false)
  const complete = async () => {
    if (busy) return
    setBusy(true)
    try {
      const completed = await request('PATCH', `/api-v1-tasks/${id}/complete`)
      notifyChange(`Done: ${title}`, completed)
      onDone()
    } catch (error) {
      if (!isGone(error)) return notify((error as Error).message)
      notify(`${title} has been deleted in the meantime.`)
      onDone()
    } finally {
      setBusy(false)
    }
  }
  return { busy, complete }
}
