import { useState } from 'preact/hooks'
import { request } from '../http.ts'
import { href } from '../place.ts'
import { who } from '../session.ts'
import { nameOf, type Row } from '../views.ts'
import { tell } from './notes.tsx'
import { Badge, Moment } from './value.tsx'

/** A task with the box that completes it. */
export function TaskRow({ task, onDone }: { task: Row; onDone: () => void }) {
  const { busy, complete } = useCompletion(task, onDone)
  const { id, title, due_date, status, priority, assigned_user, organization, contact, deal } = task
  const done = status === 'completed'
  const about = deal ?? contact ?? organization
  const overdue = !done && due_date && Date.parse(due_date) < Date.now()
  return (
    <li>
      <input
        type="checkbox"
        aria-label={`Complete ${title}`}
        checked={done}
        disabled={done || busy}
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
          {about && `${due_date ? ' · ' : ''}${nameOf(about)}`}
          {assigned_user &&
            assigned_user.id !== who.value!.user.id &&
            `${due_date || about ? ' · ' : ''}${assigned_user.full_name}`}
        </div>
      </div>
      {!['medium', 'low'].includes(priority) && <Badge value={priority} />}
    </li>
  )
}

/** Completes a task, and says so. */
export function useCompletion({ id, title }: Row, onDone: () => void): { busy: boolean; complete(): Promise<void> } {
  const [busy, setBusy] = useState(false)
  const complete = async () => {
    setBusy(true)
    try {
      await request('PATCH', `/api-v1-tasks/${id}/complete`)
      tell(`Done: ${title}`)
      onDone()
    } catch (error) {
      tell((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { busy, complete }
}
