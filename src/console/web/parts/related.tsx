import { useState } from 'preact/hooks'
import { list } from '../http.ts'
import { href } from '../place.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { useData } from '../use-data.ts'
import { type Row, views } from '../views.ts'
import type { Choice } from './combobox.tsx'
import { ListCard } from './list-card.tsx'
import { RecordForm } from './record-form.tsx'
import { Value } from './value.tsx'

const shownMax = 8

interface RelatedProps {
  of: string
  /** The field that refers to the record whose page this is. */
  field: string
  to: Choice
  row: Row
}

/** What of another kind refers to a record: the newest few, and a way to add one. */
export function Related({ of, field, to, row }: RelatedProps) {
  const view = views[of]!
  const { path, label, relations } = resourceOf(of)
  const [adding, setAdding] = useState(false)
  const query = { [`filter[${field}]`]: to.id, limit: shownMax, include: view.include }
  const loaded = useData((signal) => list<Row>(`/${path}`, query, signal), [path, to.id])
  const total = loaded.data?.pagination.total ?? 0
  const detail = view.columns.slice(1).find((name) => name !== field && name !== 'contact_emails')!
  return (
    <ListCard
      label={view.plural}
      heading={
        <>
          {view.plural} {total > 0 && <span class="muted number">{total}</span>}
        </>
      }
      verb={`Add ${label.toLowerCase()}`}
      onAdd={() => setAdding(true)}
      loaded={loaded}
    >
      {loaded.data && total === 0 && <p class="muted body">None yet.</p>}
      <ul class="list">
        {loaded.data?.data.map((each) => (
          <li key={each.id}>
            <a class="grow" href={href(`${view.page}/${each.id}`)}>
              {view.title(each)}
            </a>
            <Value field={fieldOf(of, detail)} row={each} relation={relations[detail]} />
          </li>
        ))}
      </ul>
      {total > shownMax && (
        <p class="body">
          <a href={href(`${view.page}?${of === 'task' ? 'show=all&' : ''}${field}=${to.id}`)}>Show all {total}</a>
        </p>
      )}
      {adding && (
        <RecordForm
          of={of}
          preset={presetFor(of, field, to, row)}
          onClose={() => setAdding(false)}
          onSaved={() => {
            setAdding(false)
            loaded.reload()
          }}
        />
      )}
    </ListCard>
  )
}

/** A new one refers to this record, and to the organization and the contact that this one refers to. */
export function presetFor(of: string, field: string, to: Choice, row: Row): Record<string, Choice> {
  const inherited = (['organization', 'contact'] as const).flatMap((name) => {
    const related: Row | undefined = row[name]
    const known = related && resourceOf(of).fields.some((each) => each.name === `${name}_id`)
    return known
      ? [[`${name}_id`, { id: related.id, label: related.name ?? views[name]!.title(related) }] as const]
      : []
  })
  return { ...Object.fromEntries(inherited), [field]: to }
}
