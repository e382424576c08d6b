import { Check, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { focusHeading } from '../focus.ts'
import { get, remove } from '../http.ts'
import { type Metadata, textOf } from '../metadata.ts'
import { ask } from '../parts/dialog.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Items } from '../parts/items.tsx'
import { notify } from '../parts/notes.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { Related } from '../parts/related.tsx'
import { useCompletion } from '../parts/task-row.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { Badge, isAuthor, Value } from '../parts/value.tsx'
import { href } from '../place.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { useData } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { listed, type Row, referenceTo, titleOf, viewOf, withoutCurrency } from '../views.ts'

/** The page of one record. */
export function Record({ of, id }: { of: string; id: string }) {
  const { label, plural, page, path, collections } = resourceOf(of)
  const loaded = useData((signal) => get<Row>(`/${path}/${id}`, signal), [path, id])
  const row = loaded.data?.id === id ? loaded.data : undefined
  useTitle(row ? titleOf(of, row) : plural)
  if (!row || loaded.error) {
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
      <Heading of={of} row={row} onChanged={loaded.reload} />
      <div class={timelineField ? 'split' : 'stack'}>
        <div class="stack">
          <Facts of={of} row={row} />
          {Object.keys(collections).map((name) => (
            <Items key={name} of={of} name={name} row={row} onChanged={loaded.reload} />
          ))}
          {relatedTo(of).map(({ other, field }) => (
            <Related key={other} of={other} field={field} to={{ id, label: titleOf(of, row) }} row={row} />
          ))}
          {row.metadata && <MetadataFacts metadata={row.metadata} />}
        </div>
        {timelineField && <Timeline field={timelineField} row={row} of={of} />}
      </div>
    </div>
  )
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
            <Icon of={Pencil} /> Edit
          </button>
        )}
        {operations.includes('delete') && <DeleteButton of={of} row={row} />}
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
  const { busy, complete } = useCompletion(task, () => {
    focusHeading()
    onDone()
  })
  return (
    <button type="button" class="button primary" aria-disabled={busy} onClick={complete}>
      <Icon of={Check} /> Done
    </button>
  )
}

function DeleteButton({ of, row }: { of: string; row: Row }) {
  const { label, path, page } = resourceOf(of)
  const { route } = useLocation()
  const start = () =>
    ask({
      title: `Delete ${titleOf(of, row)}?`,
      body: `The ${label.toLowerCase()} is removed from all lists. Records that refer to it stay. This cannot be undone.`,
      verb: 'Delete',
      async run() {
        await remove(`/${path}/${row.id}`)
        notify(`${label} deleted.`)
        route(href(page), true) // the Back button must not lead to the deleted record
      },
    })
  return (
    <button type="button" class="button danger" onClick={start}>
      <Icon of={Trash2} /> Delete
    </button>
  )
}

/** The record's fields, without those in the heading and the empty ones. */
function Facts({ of, row }: { of: string; row: Row }) {
  const { form, name, badge } = viewOf(of)
  const { fields, relations } = resourceOf(of)
  const others = fields.filter(({ name, kind }) => !form.includes(name) && kind !== 'metadata' && name !== 'updated_at')
  const shown = withoutCurrency([...form.map((each) => fieldOf(of, each)), ...others])
    .filter((field) => !name.includes(field.name) && field.name !== badge)
    .filter((field) => row[field.name] !== null || isAuthor(field))
  return (
    <section class="card" aria-label="Details">
      <dl class="facts body">
        {shown.map((field) => (
          <Fact key={field.name} label={field.label}>
            <Value field={field} row={row} relation={relations[field.name]} />
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function MetadataFacts({ metadata }: { metadata: Metadata }) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <section class="card" aria-label="Metadata">
      <header>
        <h2>Metadata</h2>
      </header>
      <dl class="facts body">
        {entries.map(([name, value]) => (
          <Fact key={name} label={name}>
            {textOf(value)}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
