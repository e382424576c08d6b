import { Plus, SearchX, Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { list, type Page } from '../http.ts'
import { type ListState, parametersOf, useListState } from '../list-state.ts'
import { Empty } from '../parts/empty.tsx'
import { Unloaded } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { Toolbar } from '../parts/toolbar.tsx'
import { Moment, Value } from '../parts/value.tsx'
import { href } from '../place.ts'
import { search } from '../search.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { useData, useSettled } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { type Row, views } from '../views.ts'

const pageSize = 50

/** A resource as a table: searched, filtered, sorted, page by page. */
export function List({ of }: { of: string }) {
  const view = views[of]!
  const { path, label, importable } = resourceOf(of)
  useTitle(view.plural)
  const { route } = useLocation()
  const [state, change] = useListState()
  const [creating, setCreating] = useState(false)
  const text = useSettled(state.q.trim())
  const { page, ...narrowed } = parametersOf(state)
  const query = { ...narrowed, limit: pageSize, include: view.include }
  const loaded = useData(
    (signal) =>
      text === ''
        ? list<Row>(`/${path}`, { ...query, page }, signal)
        : search(of, { text, fields: view.search }, query, signal),
    [path, text, JSON.stringify(query), page],
  )
  const add = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon of={Plus} /> {of === 'activity' ? 'Log activity' : `New ${label.toLowerCase()}`}
    </button>
  )
  return (
    <div class="page">
      <div class="heading">
        <h1>{view.plural}</h1>
        <div class="row">
          {importable && (
            <a class="button" href={href(`/import?into=${of}`)}>
              <Icon of={Upload} /> Import
            </a>
          )}
          {add}
        </div>
      </div>
      <Toolbar of={of} state={state} onChange={change} />
      <div class="card">
        {loaded.data && !loaded.error ? (
          <Found {...{ of, state, change, add }} page={loaded.data} />
        ) : (
          <div class="body">
            <Unloaded of={loaded} />
          </div>
        )}
      </div>
      {creating && (
        <RecordForm
          of={of}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => route(href(`${view.page}/${id}`))}
        />
      )}
    </div>
  )
}

interface FoundProps {
  of: string
  page: Page<Row>
  state: ListState
  change: (change: Partial<ListState>) => void
  add: preact.ComponentChildren
}

function Found({ of, page, state, change, add }: FoundProps) {
  const view = views[of]!
  const { total, limit } = page.pagination
  const narrowed = state.q !== '' || Object.keys(state.filters).length > 0
  if (total === 0 && narrowed) {
    return (
      <Empty
        icon={SearchX}
        title="Nothing matches"
        actions={
          <button type="button" class="button" onClick={() => change({ q: '', filters: {} })}>
            Clear search and filters
          </button>
        }
      >
        Try fewer letters, or take a filter away.
      </Empty>
    )
  }
  if (total === 0) {
    return (
      <Empty icon={view.icon} title={`No ${view.plural.toLowerCase()} yet`} actions={add}>
        {view.empty}
      </Empty>
    )
  }
  const table = { label: view.plural, columns: columnsOf(of), rows: page.data }
  if (state.q.trim() !== '') {
    return (
      <>
        <Table {...table} />
        <p class="pager muted small" role="status">
          {page.pagination.has_more ? `The first ${total} that match: type more to find others.` : `${total} found`}
        </p>
      </>
    )
  }
  return (
    <>
      <Table {...table} sort={state.sort} onSort={(sort) => change({ sort })} />
      <Pager total={total} page={state.page} limit={limit} onPage={(next) => change({ page: next })} />
    </>
  )
}

function columnsOf(of: string): Column<Row>[] {
  const view = views[of]!
  const { sorts, relations } = resourceOf(of)
  return view.columns.map((name, at): Column<Row> => {
    const sortable = sorts.includes(name)
    if (at === 0) {
      const cell = (row: Row) => <a href={href(`${view.page}/${row.id}`)}>{view.title(row)}</a>
      return { name, label: of === 'contact' ? 'Name' : fieldOf(of, name).label, sortable, cell }
    }
    if (name.endsWith('ed_at')) {
      return {
        name,
        label: name === 'created_at' ? 'Created' : 'Updated',
        sortable,
        cell: (row) => <Moment at={row[name]} />,
      }
    }
    if (name === 'contact_emails') return { name, label: 'Email', cell: primaryEmail }
    const field = fieldOf(of, name)
    const cell = (row: Row) => <Value field={field} row={row} relation={relations[name]} />
    return { name, label: field.label, sortable, end: field.kind === 'number', cell }
  })
}

function primaryEmail({ contact_emails }: Row) {
  const email = contact_emails.find(({ is_primary }: Row) => is_primary)?.email
  return email ? <a href={`mailto:${email}`}>{email}</a> : <span class="muted">–</span>
}
