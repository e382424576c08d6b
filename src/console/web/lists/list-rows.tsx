import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { busyFor } from '../data/busy.ts'
import { get } from '../data/http.ts'
import { editedWith } from '../data/record-values.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { notify } from '../parts/notes.tsx'
import type { ListRows } from '../parts/table.tsx'
import { typeAhead } from '../parts/type-ahead.ts'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { rowOf, useListKeys } from './list-keys.ts'
import type { Selection } from './selection.ts'

/** How long a click waits for a second one, which edits, in milliseconds. */
const doubleMs = 250
const ownReactions = 'a, button, input, select, textarea, label'

interface Editing {
  row: Row
  cell: HTMLElement
}

/** The rows of a list: selected by checkbox, opened by a click, edited by a double click, and all of that by keyboard. */
export function useListRows(of: string, rows: readonly Row[], selection: Selection, onSaved: () => void) {
  const { route } = useLocation()
  const [editing, setEditing] = useState<Editing>()
  const cancel = useRef(() => {})
  const { page, path, operations } = resourceOf(of)
  const open = (id: string, where?: 'new window') => {
    const place = href(`${page}/${id}`)
    if (where) window.open(place, '_blank', 'noopener')
    else route(place)
  }
  /** Like a form, the editor has the record as it was read by its id, so that it finds changes of others. */
  const edit = async (cell: HTMLElement) => {
    if (editedWith(of, cell.dataset.column!).length === 0) return notify(t('This cannot be edited here.'))
    const typed = typeAhead()
    try {
      const row = await get<Row>(`/${path}/${rowOf(cell)}${relationsOf(of)}`)
      if (!typed.isLeft) setEditing({ row, cell })
    } catch (error) {
      typed.end()
      notify(t('Not opened: {message}', { message: (error as Error).message }))
    }
  }
  useListKeys({ open, toggle: selection.toggle, edit, clear: selection.clear })
  const click = (event: MouseEvent, id: string) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-column]')
    if (!cell || isOwn(event)) return
    cancel.current()
    if (event.button === 1 || event.ctrlKey || event.metaKey) return open(id, 'new window')
    if (event.button !== 0 || event.shiftKey || event.detail > 1) return
    const isEdited = operations.includes('patch') && editedWith(of, cell.dataset.column!).length > 0
    cancel.current = busyFor(isEdited ? doubleMs : 0, () => {
      if (getSelection()?.isCollapsed !== false) open(id)
    })
  }
  const list: ListRows<Row> = {
    head: <SelectPage rows={rows} selection={selection} />,
    mark: (row) => <SelectRow of={of} row={row} selection={selection} />,
    propsOf: ({ id }) => ({
      'data-id': id,
      'data-selected': selection.ids.has(id) ? '' : undefined,
      onClick: (event: MouseEvent) => click(event, id),
      onAuxClick: (event: MouseEvent) => click(event, id),
      onDblClick(event: MouseEvent) {
        const cell = (event.target as Element).closest<HTMLElement>('[data-column]')
        cancel.current()
        if (!cell || isOwn(event) || !operations.includes('patch')) return
        getSelection()?.removeAllRanges()
        void edit(cell)
      },
    }),
  }
  const close = () => {
    setEditing(undefined)
    editing?.cell.focus()
  }
  const saved = () => {
    close()
    onSaved()
  }
  const editor = editing && (
    <RecordForm
      of={of}
      row={editing.row}
      only={editedWith(of, editing.cell.dataset.column!)}
      at={editing.cell}
      onSaved={saved}
      onClose={close}
    />
  )
  return { list, editor }
}

function isOwn({ target }: MouseEvent): boolean {
  return (target as Element).closest(ownReactions) !== null
}

/** The query for the names of the records that a record refers to. */
function relationsOf(of: string): string {
  const relations = Object.values(resourceOf(of).relations)
  return relations.length > 0 ? `?include=${relations}` : ''
}

function SelectRow({ of, row, selection }: { of: string; row: Row; selection: Selection }) {
  return (
    <input
      type="checkbox"
      aria-label={t('Select {title}', { title: titleOf(of, row) })}
      checked={selection.ids.has(row.id)}
      onClick={(event) => selection.toggle(row.id, event.shiftKey)}
    />
  )
}

function SelectPage({ rows, selection }: { rows: readonly Row[]; selection: Selection }) {
  const ids = rows.map(({ id }) => id)
  const count = ids.filter((id) => selection.ids.has(id)).length
  return (
    <input
      type="checkbox"
      aria-label={t('Select this page')}
      checked={count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={(event) => selection.setAll(ids, event.currentTarget.checked)}
    />
  )
}
