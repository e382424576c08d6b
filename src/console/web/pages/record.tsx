import { Check, Pencil } from 'lucide'
import { useState } from 'preact/hooks'
import { focusHeading } from '../focus.ts'
import { get, isGone } from '../http.ts'
import { useNews } from '../news.ts'
import { DealSteps } from '../parts/deal-steps.tsx'
import { DeletedRecord } from '../parts/deleted-record.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Facts, MetadataFacts } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Items } from '../parts/items.tsx'
import { RecordForm } from '../parts/lazy-parts.ts'
import { People } from '../parts/people.tsx'
import { RecordMenu } from '../parts/record-menu.tsx'
import { RecordSide } from '../parts/record-side.tsx'
import { Related } from '../parts/related.tsx'
import { RestoreButton } from '../parts/restore-button.tsx'
import { useTaskChange } from '../parts/task-row.tsx'
import { Badge } from '../parts/value.tsx'
import { href } from '../place.ts'
import { resourceOf } from '../session.ts'
import { noun, t } from '../texts.ts'
import { useData } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { listed, type Row, referenceTo, titleOf, viewOf } from '../views.ts'

/** The page of one record. */
export function Record({ of, id }: { of: string; id: string }) {
  const { label, plural, page, path, collections } = resourceOf(of)
  const loaded = useData((signal) => get<Row>(`/${path}/${id}`, signal), [path, id])
  const row = loaded.data?.id === id ? loaded.data : undefined
  useNews(({ record_id }) => record_id === id || (row !== undefined && refersTo(of, row, record_id)), loaded.refresh)
  useTitle(row ? titleOf(of, row) : plural)
  const gone = isGone(loaded.error)
  if (!row && gone) return <DeletedRecord key={id} of={of} id={id} error={loaded.error!} onRestored={loaded.reload} />
  if (!row || (loaded.error && !gone)) {
    return (
      <div class="page">
        <a href={href(page)}>{plural}</a>
        <h1 class={loaded.error ? '' : 'unseen'}>{label}</h1>
        <LoadingOrError of={loaded} />
      </div>
    )
  }
  const timelineField = referenceTo(of, timeline)
  return (
    <div class="page">
      {gone && (
        <div class="notice warn" role="alert">
          <span class="grow">{t('This {label} has been deleted.', { label: noun(label) })}</span>
          <RestoreButton id={id} title={titleOf(of, row)} onRestored={loaded.reload} />
        </div>
      )}
      <Heading of={of} row={row} onChanged={loaded.reload} />
      {of === 'deal' && !gone && <DealSteps key={id} deal={row} onMoved={loaded.reload} />}
      <div class="record">
        <div class="reach stack">
          {Object.keys(collections).map((name) => (
            <Items key={name} of={of} name={name} row={row} onChanged={loaded.reload} />
          ))}
          {referenceTo('contact', of) && <People key={id} of={of} row={row} />}
        </div>
        <RecordSide {...{ of, row, timelineField }} />
        <div class="rest stack">
          <Facts of={of} row={row} {...(!gone && { onChanged: loaded.reload })} />
          {relatedTo(of).map(({ other, field }) => (
            <Related key={other} of={other} field={field} to={{ id, label: titleOf(of, row) }} row={row} />
          ))}
          {row.metadata && <MetadataFacts of={of} metadata={row.metadata} />}
        </div>
      </div>
    </div>
  )
}

function refersTo(of: string, row: Row, id: string): boolean {
  return Object.keys(resourceOf(of).relations).some((by) => row[by] === id)
}

/** The resource that the timeline shows, where it refers to the record. */
const timeline = 'activity'

/** The resources that refer to a record, each with the field that does. */
function relatedTo(of: string): { other: string; field: string }[] {
  return listed().flatMap((other) => {
    const field = other === timeline ? undefined : referenceTo(of, other)
    return field ? [{ other, field }] : []
  })
}

interface HeadingProps {
  of: string
  row: Row
  onChanged: () => void
}

function Heading({ of, row, onChanged }: HeadingProps) {
  const { plural, page, operations } = resourceOf(of)
  const { badge } = viewOf(of)
  const [editing, setEditing] = useState(false)
  return (
    <div class="heading">
      <div class="stack tight">
        <a class="small" href={href(page)}>
          {plural}
        </a>
        <div class="row">
          <h1>{titleOf(of, row)}</h1>
          {badge && row[badge] && <Badge value={row[badge]} />}
        </div>
      </div>
      <div class="row">
        {of === 'task' && row.status !== 'completed' && <DoneButton task={row} onDone={onChanged} />}
        {operations.includes('patch') && (
          <button type="button" class="button" onClick={() => setEditing(true)}>
            <Icon of={Pencil} /> {t('Edit')}
          </button>
        )}
        <RecordMenu of={of} row={row} />
      </div>
      {editing && (
        <RecordForm
          of={of}
          row={row}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      )}
    </div>
  )
}

function DoneButton({ task, onDone }: { task: Row; onDone: () => void }) {
  const { busy, complete } = useTaskChange(task, () => {
    focusHeading()
    onDone()
  })
  return (
    <button type="button" class="button primary" aria-disabled={busy} onClick={complete}>
      <Icon of={Check} /> {t('Done')}
    </button>
  )
}
