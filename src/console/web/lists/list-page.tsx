import { Merge, Plus, Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { DescribedCollection } from '../../description.ts'
import { filterField } from '../data/filters.ts'
import { mainOf } from '../data/item-values.ts'
import { type ChangeList, groupedBy, type ListState, useListState } from '../data/list-state.ts'
import { type Row, titleOf, viewOf } from '../data/resource-views.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { itemTitle } from '../parts/item-text.ts'
import { keyFor } from '../parts/key-presses.ts'
import { Pager } from '../parts/pager.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useTitle } from '../parts/use-title.ts'
import { ItemLink, Value } from '../parts/value.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { chosenColumns } from '../saved-views/columns.ts'
import { UnknownView } from '../saved-views/unknown-view.tsx'
import { useViews } from '../saved-views/use-views.ts'
import { ViewTabs } from '../saved-views/view-tabs.tsx'
import { href } from '../session/place.ts'
import { fieldOf, resourceOf } from '../session/session.ts'
import { about, t } from '../text/texts.ts'
import { BulkBar } from './bulk-bar.tsx'
import { DensityButton, isCompact } from './density.tsx'
import { ExportButton } from './export-button.tsx'
import { type ListData, useListData } from './list-data.ts'
import { useListRows } from './list-rows.tsx'
import { ListSums } from './list-sums.tsx'
import { ListPlaceholder, NoMatch } from './no-match.tsx'
import { useSelection } from './selection.ts'
import { Toolbar } from './toolbar.tsx'

/** A resource as a table: searched, filtered, sorted, page by page. */
export function List({ of }: { of: string }) {
  const { plural, page, operations, importable, mergeable } = resourceOf(of)
  useTitle(plural)
  const { route } = useLocation()
  const [state, change] = useListState()
  const [creating, setCreating] = useState(false)
  const [changes, setChanges] = useState(0)
  const views = useViews(of, state)
  const columns = chosenColumns(of, views.chosen)
  const loaded = useListData(of, state, change, { columns, view: views.chosen })
  const changed = () => {
    loaded.reload()
    setChanges(changes + 1)
  }
  const add = operations.includes('create') && <AddButton of={of} onClick={() => setCreating(true)} />
  return (
    <div class="page">
      <div class="heading">
        <h1>{plural}</h1>
        <div class="row">
          {importable && (
            <a class="button" href={href(`/import?into=${of}`)}>
              <Icon of={Upload} /> {t('Import')}
            </a>
          )}
          {mergeable && (
            <a class="button" href={href(`${page}/duplicates`)}>
              <Icon of={Merge} /> {t('Duplicates')}
            </a>
          )}
          <ExportButton {...{ of, state, columns }} />
          {add}
        </div>
      </div>
      <ViewTabs {...{ of, views }} />
      <Toolbar {...{ of, state, views, columns }} onChange={change}>
        <DensityButton />
        {of === 'deal' && <ListSums {...{ state, changes }} />}
      </Toolbar>
      {views.isUnknown ? (
        <UnknownView onChange={change} />
      ) : loaded.data && !loaded.error && !views.isAwaited ? (
        <div class={isCompact.value ? 'card compact-rows' : 'card'} aria-busy={loaded.loading}>
          <Rows {...{ of, state, change, add, columns }} found={loaded.data} onChanged={changed} />
        </div>
      ) : (
        <ListPlaceholder of={loaded} state={state} onChange={change} />
      )}
      {creating && (
        <RecordForm of={of} onClose={() => setCreating(false)} onSaved={({ id }) => route(href(`${page}/${id}`))} />
      )}
    </div>
  )
}

function AddButton({ of, onClick }: { of: string; onClick: () => void }) {
  return (
    <button type="button" class="button primary" aria-keyshortcuts={keyFor('c')} onClick={onClick}>
      <Icon of={Plus} /> {viewOf(of).add}
    </button>
  )
}

interface RowsProps {
  of: string
  found: ListData
  state: ListState
  change: ChangeList
  add: preact.ComponentChildren
  columns: readonly string[]
  onChanged: () => void
}

function Rows({ of, found, state, change, add, columns, onChanged }: RowsProps) {
  const { icon, empty } = viewOf(of)
  const { plural } = resourceOf(of)
  const [page] = found.pages
  const { total } = page!.pagination
  const shown = page!.data.map(({ id }) => id)
  const selection = useSelection(JSON.stringify([state.q, state.filters]), shown)
  const { list, editor } = useListRows(of, page!.data, selection, onChanged)
  if (total === 0 && found.narrowed) return <NoMatch onChange={change} />
  if (total === 0) {
    return (
      <Empty icon={icon} title={about('No {noun} yet', plural)} actions={add}>
        {empty}
      </Empty>
    )
  }
  return (
    <>
      <BulkBar {...{ of, state, columns, total, selection }} onDone={onChanged} />
      {editor}
      {groupedBy(of, state.sort) !== undefined && (
        <p class="muted small body" role="note">
          {t('Grouped by currency: amounts are sorted within each currency.')}
        </p>
      )}
      <Table
        list={list}
        label={plural}
        columns={columns.map((name, at) => (at === 0 ? nameColumn(of, columns) : columnOf(of, name)))}
        rows={page!.data}
        sort={state.sort}
        onSort={(sort) => change({ sort })}
      />
      <Pager
        of={page!.pagination}
        at={state.page}
        onPage={(next) => change({ page: next })}
        searched={found.searched}
      />
    </>
  )
}

/** The name, and below it the first fact that has no column. */
function nameColumn(of: string, columns: readonly string[]): Column<Row> {
  const name = columns[0]!
  const facts = viewOf(of).second.filter((each) => !columns.includes(each))
  const { sorts, page } = resourceOf(of)
  const label = viewOf(of).name.length === 1 ? fieldOf(of, name).label : t('Name')
  const cell = (row: Row) => (
    <>
      <a href={href(`${page}/${row.id}`)}>{titleOf(of, row)}</a>
      <SecondLine of={of} row={row} facts={facts} />
    </>
  )
  return { name, label, sortable: sorts.includes(name), cell }
}

function SecondLine({ of, row, facts }: { of: string; row: Row; facts: readonly string[] }) {
  const { relations } = resourceOf(of)
  const texts = facts.map((name) => {
    const { target } = fieldOf(of, name)
    return target ? row[relations[name]!] && titleOf(target, row[relations[name]!]) : row[name]
  })
  const text = texts.find(Boolean)
  return text ? <div class="second muted small">{text}</div> : null
}

function columnOf(of: string, name: string): Column<Row> {
  const { sorts, relations, collections } = resourceOf(of)
  const collection = Object.values(collections).find(({ as }) => as === name)
  if (collection) {
    const cell = (row: Row) => <PrimaryItem items={row[name]} of={collection} />
    return { name, label: collection.label, cell }
  }
  const field = filterField(of, name)
  const cell = (row: Row) => <Value field={field} row={row} relation={relations[name]} />
  return {
    name,
    label: field.label,
    sortable: field.declared ? field.kind !== 'choices' : sorts.includes(name),
    end: field.kind === 'number',
    cell,
  }
}

/** Rows that were loaded before the column was chosen have no items yet. */
function PrimaryItem({ items = [], of }: { items: Row[] | undefined; of: DescribedCollection }) {
  const item = items.find(({ is_primary }) => is_primary)
  if (item) return <ItemLink item={item} field={mainOf(of)} />
  return items.length > 0 ? items.map((each) => itemTitle(of, each)).join(', ') : <span class="muted">–</span>
}
