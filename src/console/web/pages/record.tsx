import { Check, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { focusHeading } from '../focus.ts'
import { get, remove } from '../http.ts'
import { type Metadata, textOf } from '../metadata.ts'
import { ask } from '../parts/dialog.tsx'
import { Unloaded } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { Items } from '../parts/items.tsx'
import { tell } from '../parts/notes.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { Related } from '../parts/related.tsx'
import { useCompletion } from '../parts/task-row.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { Badge, Moment, Value } from '../parts/value.tsx'
import { href } from '../place.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { useData } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { type Row, views } from '../views.ts'

/** Which of an activity's references leads to a record of this kind. */
const timelineFields: Record<string, string> = {
  organization: 'organization_id',
  contact: 'contact_id',
  deal: 'deal_id',
}

/** One record, with what belongs to it. */
export function Record({ of, id }: { of: string; id: string }) {
  const view = views[of]!
  const { label, path, collections } = resourceOf(of)
  const loaded = useData((signal) => get<Row>(`/${path}/${id}`, signal), [path, id])
  const row = loaded.data?.id === id ? loaded.data : undefined
  useTitle(row ? view.title(row) : view.plural)
  if (!row || loaded.error) {
    return (
      <div class="page">
        <a href={href(view.page)}>{view.plural}</a>
        {loaded.error && <h1>{label}</h1>}
        <Unloaded of={loaded} />
      </div>
    )
  }
  const timelineField = timelineFields[of]
  return (
    <div class="page">
      <Heading of={of} row={row} onChanged={loaded.reload} />
      <div class={timelineField ? 'split' : 'stack'}>
        <div class="stack">
          <Facts of={of} row={row} />
          {Object.keys(collections).map((name) => (
            <Items key={name} of={of} name={name} row={row} onChanged={loaded.reload} />
          ))}
          {Object.entries(view.related).map(([other, field]) => (
            <Related key={other} of={other} field={field} to={{ id, label: view.title(row) }} row={row} />
          ))}
          <MetadataFacts metadata={row.metadata} />
        </div>
        {timelineField && <Timeline field={timelineField} row={row} of={of} />}
      </div>
    </div>
  )
}

interface HeadingProps {
  of: string
  row: Row
  onChanged: () => void
}

function Heading({ of, row, onChanged }: HeadingProps) {
  const view = views[of]!
  const { operations } = resourceOf(of)
  const [editing, setEditing] = useState(false)
  const status = row.status ?? (of === 'activity' ? row.type : undefined)
  return (
    <div class="heading">
      <div class="stack tight">
        <a class="small" href={href(view.page)}>
          {view.plural}
        </a>
        <div class="row">
          <h1>{view.title(row)}</h1>
          {status && <Badge value={status} />}
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
  const view = views[of]!
  const { label, path } = resourceOf(of)
  const { route } = useLocation()
  const start = () =>
    ask({
      title: `Delete ${view.title(row)}?`,
      body: `The ${label.toLowerCase()} disappears from every list. What refers to it stays, without it. This cannot be taken back.`,
      verb: 'Delete',
      async run() {
        await remove(`/${path}/${row.id}`)
        tell(`${label} deleted.`)
        route(href(view.page), true) // the way back does not lead to what is gone
      },
    })
  return (
    <button type="button" class="button danger" onClick={start}>
      <Icon of={Trash2} /> Delete
    </button>
  )
}

/** What the record says; empty fields are left out until they have something to say. */
function Facts({ of, row }: { of: string; row: Row }) {
  const { form, named } = views[of]!
  const { relations } = resourceOf(of)
  const names = [...form, ...(of === 'activity' ? ['user_id'] : [])]
  const shown = names
    .map((name) => fieldOf(of, name))
    .filter(({ name }) => (row[name] !== null || name === 'user_id') && name !== 'currency' && !named.includes(name))
  return (
    <section class="card" aria-label="Details">
      <dl class="facts body">
        {shown.map((field) => (
          <Fact key={field.name} label={field.label}>
            <Value field={field} row={row} relation={relations[field.name]} />
          </Fact>
        ))}
        {row.completed_at && (
          <Fact label="Completed">
            <Moment at={row.completed_at} />
          </Fact>
        )}
        <Fact label="Created">
          <Moment at={row.created_at} />
        </Fact>
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
