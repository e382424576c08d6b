import { useRef, useState } from 'preact/hooks'
import type { Choice } from '../data/choice.ts'
import { list } from '../data/http.ts'
import { tellOwn, useNews } from '../data/news.ts'
import { includeOf, isListed, type Row, titleOf, viewOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { FileButtons } from '../files/file-buttons.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { Value } from '../parts/value.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { href } from '../session/place.ts'
import { fieldOf, resourceOf } from '../session/session.ts'
import { TaskRow } from '../tasks/task-row.tsx'
import { about, t } from '../text/texts.ts'
import { ChooseFiles } from './choose-files.tsx'
import { Person } from './person.tsx'

const shownMax = 8

interface RelatedProps {
  of: string
  /** The field that refers to the record whose page this is. */
  field: string
  to: Choice
  row: Row
}

/** The first records of another resource that refer to a record (default: the newest), and a button to add one. */
export function Related({ of, field, to, row }: RelatedProps) {
  const { path, label, plural, page, relations, fields, collections, operations } = resourceOf(of)
  const [adding, setAdding] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const include = [...new Set([...includeOf(of).split(','), ...Object.keys(collections)])].join()
  const filter = filterBy(of, field)
  const query = { [`filter[${filter}]`]: to.id, ...viewOf(of).related, limit: shownMax, include }
  const loaded = useData((signal) => list<Row>(`/${path}`, query, signal), [path, to.id])
  useNews(({ resource }) => resource === of, loaded.refresh)
  const total = loaded.data?.pagination.total ?? 0
  const shown = viewOf(of)
    .columns.slice(1)
    .filter((name) => name !== field)
  const isFile = of === 'file'
  const isAddable = operations.includes('create')
  const detail = fields.find(({ name }) => name === shown.find((column) => fields.some((each) => each.name === column)))
  if (total === 0 && !isAddable && !isFile) return null // nobody can add one here
  return (
    <ListCard
      label={plural}
      heading={
        <>
          {plural} {total > 0 && <span class="muted number">{total}</span>}
        </>
      }
      verb={about('Add {noun}', label)}
      {...(isAddable && { onAdd: () => setAdding(true) })}
      {...(isFile && { onAdd: () => files.current?.click() })}
      loaded={loaded}
    >
      {isFile && <ChooseFiles input={files} field={field} id={to.id} onAdded={loaded.reload} />}
      {loaded.data && total === 0 && <p class="muted body">{t('None yet.')}</p>}
      <ul class="list">
        {loaded.data?.data.map((each) =>
          of === 'task' ? (
            <TaskRow key={each.id} task={each} on={fieldOf(of, field).target!} onDone={loaded.reload} />
          ) : of === 'contact' ? (
            <Person key={each.id} person={each} />
          ) : (
            <li key={each.id} class="wraps">
              <a class="grow" href={href(`${page}/${each.id}`)}>
                {titleOf(of, each)}
              </a>
              {isFile ? (
                <FileButtons file={each} />
              ) : (
                detail && <Value field={detail} row={each} relation={relations[detail.name]} />
              )}
            </li>
          ),
        )}
      </ul>
      {total > shownMax && (
        <p class="body">
          <a href={href(`${page}?${new URLSearchParams({ ...viewOf(of).all, [filter]: to.id })}`)}>
            {t('Show all {total}', { total })}
          </a>
        </p>
      )}
      {adding && (
        <RecordForm
          of={of}
          preset={presetFor(of, field, to, row)}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => {
            setAdding(false)
            loaded.reload()
            tellOwn(of, id)
          }}
        />
      )}
    </ListCard>
  )
}

/** The filter by a reference. If it leads to one of several linked records, the filter is that by all of them: `people_id`. */
function filterBy(of: string, field: string): string {
  const { target } = fieldOf(of, field)
  return resourceOf(of).unshown.find((each) => each.target === target)?.name ?? field
}

/** A new record refers to this one, and to the records that this one refers to. */
export function presetFor(of: string, field: string, to: Choice, row: Row): Record<string, Choice> {
  const inherited = Object.entries(resourceOf(of).relations).flatMap(([by, as]) => {
    const { target } = fieldOf(of, by)
    const related: Row | undefined = row[as]
    return related && isListed(target!) ? [[by, { id: related.id, label: titleOf(target!, related) }] as const] : []
  })
  return { ...Object.fromEntries(inherited), [field]: to }
}
