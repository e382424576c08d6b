import { Pencil, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { get, list } from '../data/http.ts'
import { isOverdue } from '../data/late.ts'
import { tellOwn, useNews } from '../data/news.ts'
import { keyFactsOf, type Row, titleOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { Tool } from '../parts/tool.tsx'
import { Moment, Value } from '../parts/value.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { href } from '../session/place.ts'
import { fieldOf, resourceOf } from '../session/session.ts'
import { dueAt } from '../text/days.ts'
import { t } from '../text/texts.ts'
import { Fact, useFactEditor } from './facts.tsx'

interface KeyFactsProps {
  of: string
  row: Row
  /** Called after a field has been edited. Absent: none can be. */
  onChanged?: () => void
}

/** The line under the title of a record: what people look for first, each fact edited in its place. */
export function KeyFacts({ of, row, onChanged }: KeyFactsProps) {
  const { relations } = resourceOf(of)
  const { edit, editor } = useFactEditor({ of, row, ...(onChanged && { onChanged }) })
  const names = keyFactsOf(of, row)
  if (names.length === 0) return null
  return (
    <section aria-label={t('At a glance')}>
      <dl class="key-facts">
        {names.map((name) => (
          <div key={name}>
            <Fact label={fieldOf(of, name).label} onEdit={edit(name)}>
              <Value field={fieldOf(of, name)} row={row} relation={relations[name]} />
            </Fact>
          </div>
        ))}
        {of === 'deal' && <NextTask deal={row} />}
      </dl>
      {editor}
    </section>
  )
}

/** The open task of a deal that is due first; one without a date comes last. */
function NextTask({ deal }: { deal: Row }) {
  const query = { 'filter[deal_id]': deal.id, 'status[in]': 'pending,in_progress', sort: 'due_date:asc', limit: 1 }
  const dated = useData((signal) => list<Row>('/api-v1-tasks', { ...query, 'due_date[ne]': 'null' }, signal), [deal.id])
  const others = useData((signal) => list<Row>('/api-v1-tasks', { ...query, due_date: 'null' }, signal), [deal.id])
  useNews(({ resource }) => resource === 'task', dated.refresh)
  useNews(({ resource }) => resource === 'task', others.refresh)
  const [editing, setEditing] = useState<{ task: Row | undefined; at: Element }>()
  if (!dated.data || !others.data) return null
  const [task] = [...dated.data.data, ...others.data.data]
  const open = (event: MouseEvent) => {
    const at = (event.currentTarget as Element).closest('dd')!
    if (!task) return setEditing({ task, at })
    get<Row>(`/api-v1-tasks/${task.id}`).then(
      (read) => setEditing({ task: read, at }),
      ({ message }) => notify(t('Not opened: {message}', { message })),
    )
  }
  return (
    <div class="next">
      <dt>{t('Next task')}</dt>
      <dd>
        {task ? (
          <>
            <a href={href(`/tasks/${task.id}`)}>{task.title}</a>{' '}
            {task.due_date && (
              <span class={isOverdue(task) ? 'fault' : 'muted'}>
                <Moment at={dueAt(task.due_date)} />
              </span>
            )}
            <Tool icon={Pencil} label={t('Change {name}', { name: t('Next task') })} onClick={open} />
          </>
        ) : (
          <button type="button" class="button quiet small" onClick={open}>
            <Icon of={Plus} /> {t('Add task')}
          </button>
        )}
        {editing && (
          <RecordForm
            of="task"
            at={editing.at}
            {...(editing.task
              ? { row: editing.task, only: ['title', 'due_date'] }
              : {
                  only: ['title', 'due_date', 'assigned_to'],
                  preset: { deal_id: { id: deal.id, label: titleOf('deal', deal) } },
                })}
            onClose={() => setEditing(undefined)}
            onSaved={({ id }) => {
              setEditing(undefined)
              tellOwn('task', id)
            }}
          />
        )}
      </dd>
    </div>
  )
}
