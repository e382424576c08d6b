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
import { type Loaded, useData, useSettled } from '../use-data.ts'
import { useTitle } from '../use-title.ts'
import { type Row, views } from '../views.ts'

const pageSize = 50

/** A resource as a table: searched, filtered, sorted, page by page. */
export function List({ of }: { of: string }) {
  const view = views[of]!
  useTitle(view.plural)
  const { route } = useLocation()
  const [state, change] = useListState()
  const [creating, setCreating] = useState(false)
  const loaded = useFound(of, state)
  const add = <AddButton of={of} onClick={() => setCreating(true)} />
  return (
    <div class="page">
      <div class="heading">
        <h1>{view.plural}</h1>
        <div class="row">
          {resourceOf(of).importable && (
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
          <Rows {...{ of, state, change, add }} found={loaded.data} />
        ) : (
          <div class="body">
            <Unloaded of={loaded} shape="rows" />
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

function AddButton({ of, onClick }: { of: string; onClick: () => void }) {
  return (
    <button type="button" class="button primary" onClick={onClick}>
      <Icon of={Plus} /> {of === 'activity' ? 'Log activity' : `New ${resourceOf(of).label.toLowerCase()}`}
    </button>
  )
}

/** An answer, and what it answers: the search box may have moved on meanwhile. */
interface Found {
  page: Page<Row>
  searched: boolean
  filtered: boolean
}

function useFound(of: string, state: ListState): Loaded<Found> {
  const { search: fields, include } = views[of]!
  const { path } = resourceOf(of)
  const text = useSettled(state.q.trim())
  const { page, ...narrowed } = parametersOf(state)
  const query = { ...narrowed, limit: pageSize, include }
  const load = async (signal: AbortSignal) => ({
    page: await (text === ''
      ? list<Row>(`/${path}`, { ...query, page }, signal)
      : search(of, { text, fields }, query, signal)),
    searched: text !== '',
    filtered: Object.keys(state.filters).length > 0,
  })
  return useData(load, [path, text, JSON.stringify(query), page])
}

interface RowsProps {
  of: string
  found: Found
  state: ListState
  change: (change: Partial<ListState>) => void
  add: preact.ComponentChildren
}

function Rows({ of, found: { page, searched, filtered }, state, change, add }: RowsProps) {
  const { plural, icon, empty } = views[of]!
  const { total, limit, has_more } = page.pagination
  if (total === 0 && (searched || filtered)) return <NoMatch onClear={() => change({ q: '', filters: {} })} />
  if (total === 0) {
    return (
      <Empty icon={icon} title={`No ${plural.toLowerCase()} yet`} actions={add}>
        {empty}
      </Empty>
    )
  }
  const table = { label: plural, columns: columnsOf(of), rows: page.data }
  if (searched) {
    return (
      <>
        <Table {...table} />
        <p class="pager muted small" role="status">
          {has_more ? `The first ${total} that match: type more to find others.` : `${total} found`}
        </p>
      </>
    )
  }
  return (
    <>
      <Table {...table} sort={state.sort} onSort={(sort) => change({ sort })} />
      <Pager total={total} page={page.pagination.page} limit={limit} onPage={(next) => change({ page: next })} />
    </>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const clear = (
    <button type="button" class="button" onClick={onClear}>
      Clear search and filters
    </button>
  )
  return (
    <Empty icon={SearchX} title="Nothing matches" actions={clear}>
      Try fewer letters, or take a filter away.
    </Empty>
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
