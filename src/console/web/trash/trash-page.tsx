import { Eraser, Trash2 } from 'lucide'
import { type Actor, actorText, verbOf } from '../data/change-log.ts'
import { remove } from '../data/http.ts'
import { type ChangeList, useListState } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import { isListed, viewOf } from '../data/resource-views.ts'
import { usePages } from '../data/use-pages.ts'
import { ask } from '../parts/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { PagedCard } from '../parts/paged-card.tsx'
import { Segments } from '../parts/segments.tsx'
import { useTitle } from '../parts/use-title.ts'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { description, isAdmin, resourceOf } from '../session/session.ts'
import { about, t } from '../text/texts.ts'
import { RestoreButton } from './restore-button.tsx'

interface Deleted {
  id: string
  type: string
  title: string
  deleted_at: string
  deleted_by: Actor
}

const pageSize = 50
const moving = ['deleted', 'restored', 'erased']

/** The deleted records: restored, or erased permanently. */
export function Trash() {
  useTitle(t('Trash'))
  const [{ page, filters }, change] = useListState()
  const type = filters.type ?? ''
  const query = { type, limit: pageSize, page }
  const loaded = usePages<Deleted>('/api-v1-trash', query, (last) => change({ page: last }, 'replace'))
  useNews((news) => moving.includes(verbOf(news)), loaded.refresh)
  return (
    <div class="page">
      <div class="stack tight">
        <h1>{t('Trash')}</h1>
        <p class="muted">{t('Deleted records stay here until they are restored or erased.')}</p>
      </div>
      <Types type={type} onChange={change} />
      <PagedCard
        label={t('Deleted records')}
        of={loaded}
        page={page}
        onPage={(next) => change({ page: next })}
        rows={(data) => <Rows of={data} type={type} onChanged={loaded.reload} />}
      />
    </div>
  )
}

function Types({ type, onChange }: { type: string; onChange: ChangeList }) {
  const deletable = description.value!.resources.filter(({ operations }) => operations.includes('delete'))
  const options = [{ name: '', label: t('All') }, ...deletable.map(({ name, plural }) => ({ name, label: plural }))]
  return (
    <Segments label={t('Which records')}>
      {options.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === type}
          onClick={() => onChange({ filters: name === '' ? {} : { type: name } })}
        >
          {label}
        </button>
      ))}
    </Segments>
  )
}

interface RowsProps {
  of: Deleted[]
  type: string
  onChanged: () => void
}

function Rows({ of, type, onChanged }: RowsProps) {
  if (of.length === 0) {
    return (
      <Empty icon={Trash2} title={type === '' ? t('The trash is empty') : t('None of these are in the trash')}>
        {t('Records that you or your programs delete appear here.')}
      </Empty>
    )
  }
  return (
    <ul class="list">
      {of.map((each) => (
        <Row key={each.id} of={each} onChanged={onChanged} />
      ))}
    </ul>
  )
}

function Row({ of, onChanged }: { of: Deleted; onChanged: () => void }) {
  const { id, type, title, deleted_at, deleted_by } = of
  const { label, page } = resourceOf(type)
  return (
    <li class="wraps">
      <Icon of={viewOf(type).icon} />
      <div class="grow">
        {isListed(type) ? <a href={href(`${page}/${id}`)}>{title}</a> : title}
        <div class="muted small">
          {label} · {t('deleted by {name}', { name: actorText(deleted_by) })} · <Moment at={deleted_at} />
        </div>
      </div>
      <RestoreButton id={id} title={title} onRestored={onChanged} />
      {isAdmin() && (
        <button
          type="button"
          class="button small danger"
          aria-label={t('Erase {title} permanently', { title })}
          onClick={() => askErasure(of, onChanged)}
        >
          <Icon of={Eraser} /> {t('Erase')}
        </button>
      )}
    </li>
  )
}

function askErasure({ id, type, title }: Deleted, onErased: () => void): void {
  ask({
    title: t('Erase {title} permanently?', { title }),
    body: about(
      'The {noun} and all its former values are overwritten in the database, also in its history. Its notes, calls and other activities stay. Backups are not changed: those made until now still contain it. This cannot be undone.',
      resourceOf(type).label,
    ),
    verb: t('Erase permanently'),
    async run() {
      await remove(`/api-v1-trash/${id}`)
      notify(t('{title} erased.', { title }))
      onErased()
    },
  })
}
