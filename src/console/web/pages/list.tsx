import { Plus, Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Found, useFound } from '../found.ts'
import { type ChangeList, type ListState, useListState } from '../list-state.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { NoMatch, NotListed } from '../parts/no-match.tsx'
import { Pager } from '../parts/pager.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Toolbar } from '../parts/toolbar.tsx'
import { Moment, Value } from '../parts/value.tsx'
import { href } from '../place.ts'
import { fieldOf, resourceOf } from '../session.ts'
import { useTitle } from '../use-title.ts'
import { type Row, views } from '../views.ts'

/** A resource as a table: searched, filtered, sorted, page by page. */
export function List({ of }: { of: string }) {
  const view = views[of]!
  useTitle(view.plural)
  const { route } = useLocation()
  const [state, change] = useListState()
  const [creating, setCreating] = useState(false)
  const loaded = useFound(of, state, change)
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
      {loaded.data && !loaded.error ? (
        <div class="card" aria-busy={loaded.loading}>
          <Rows {...{ of, state, change, add }} found={loaded.data} />
        </div>
      ) : (
        <NotListed of={loaded} state={state} onChange={change} />
      )}
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

interface RowsProps {
  of: string
  found: Found
  state: ListState
  change: ChangeList
  add: preact.ComponentChildren
}

function Rows({ of, found, state, change, add }: RowsProps) {
  const { plural, icon, empty } = views[of]!
  const [page] = found.pages
  const { total } = page!.pagination
  if (total === 0 && found.narrowed) return <NoMatch onChange={change} />
  if (total === 0) {
    return (
      <Empty icon={icon} title={`No ${plural.toLowerCase()} yet`} actions={add}>
        {empty}
      </Empty>
    )
  }
  const sorting = !found.searched && { sort: state.sort, onSort: (sort: string) => change({ sort }) }
  return (
    <>
      <Table label={plural} columns={columnsOf(of)} rows={page!.data} {...sorting} />
      <Pager
        of={page!.pagination}
        at={state.page}
        onPage={(next) => change({ page: next })}
        searched={found.searched}
        exact={page!.exact}
      />
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
