import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { isUndo } from '../parts/key-presses.ts'
import { Menu } from '../parts/menu.tsx'
import { exactMoney } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { type CellName, type CellsBefore, type CellValues, cellNames, type Item } from './deal-items.ts'
import { ItemCell } from './item-cell.tsx'
import { type Cells, useCells } from './use-cells.ts'

/** How much of a row is saved. */
export type RowState = 'saved' | 'changed' | 'saving'

interface ItemRowProps {
  /** Undefined: a new row. */
  item: Item | undefined
  at: number
  count: number
  currency: string
  save: (values: CellValues, before: CellsBefore) => Promise<void>
  onState: (state: RowState | undefined) => void
  /** Enter was pressed in the last row. */
  onNext: () => void
  onMove: (by: 1 | -1) => void
  /** A saved row is deleted, a new one is left out. */
  onRemove: () => void
}

/** A line item as a row into which one types. */
export function ItemRow(props: ItemRowProps) {
  const { item, at, currency, save, onState } = props
  const cells = useCells({ item, save })
  const [takenBack, setTakenBack] = useState<{ times: number; name?: CellName }>({ times: 0 })
  const element = useRef<HTMLTableRowElement>(null)
  const state = cells.isSaving ? 'saving' : cells.isChanged() ? 'changed' : 'saved'
  // Before the next key is pressed, which may ask for the state.
  useLayoutEffect(() => onState(state), [state])
  useLayoutEffect(() => () => onState(undefined), [])
  // At once: a frame later, the user may be in another cell.
  useLayoutEffect(() => {
    if (takenBack.name) focusCell(element.current, takenBack.name)
  }, [takenBack])
  const onTakenBack = (name: CellName) => setTakenBack(({ times }) => ({ times: times + 1, name }))
  const press = (event: KeyboardEvent) => pressed(event, cells, { ...props, onTakenBack })
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) =>
    void cells.commit({ isLeft: !(currentTarget as Element).contains(relatedTarget as Node | null) })
  return (
    <tr ref={element} data-state={state} onKeyDownCapture={press} onFocusOut={leave}>
      {cellNames.map((name) => (
        <ItemCell key={name} {...{ name, at, cells, currency, isNew: !item, generation: takenBack.times }} />
      ))}
      <td class="end total number">{item ? exactMoney(item.total, currency) : ''}</td>
      <td class="end more">
        <RowMenu {...props} />
      </td>
    </tr>
  )
}

function RowMenu({ item, at, count, onMove, onRemove }: ItemRowProps) {
  const label = t('Actions of row {at}', { at })
  return (
    <Menu label={label} title={label} icon={Ellipsis} looks="quiet small">
      {(close) => {
        const closing = (act: () => void) => () => {
          close()
          act()
        }
        return (
          <>
            {item && at > 1 && (
              <button type="button" onClick={closing(() => onMove(-1))}>
                <Icon of={ArrowUp} /> {t('Move up')}
              </button>
            )}
            {item && at < count && (
              <button type="button" onClick={closing(() => onMove(1))}>
                <Icon of={ArrowDown} /> {t('Move down')}
              </button>
            )}
            <button type="button" class="danger" onClick={closing(onRemove)}>
              <Icon of={Trash2} /> {item ? t('Delete') : t('Leave out')}
            </button>
          </>
        )
      }}
    </Menu>
  )
}

type Reactions = Pick<ItemRowProps, 'item' | 'at' | 'count' | 'onNext' | 'onMove' | 'onRemove'> & {
  onTakenBack: (name: CellName) => void
}

/** The keys of a row: they come before those of its inputs, and leave those of an open list to it. */
function pressed(event: KeyboardEvent, cells: Cells, row: Reactions): void {
  const input = event.target as HTMLElement
  const name = input.closest<HTMLElement>('[data-cell]')?.dataset.cell as CellName | undefined
  if (name === undefined || event.isComposing) return
  if (isUndo(event) && cells.isAsSaved(name)) event.preventDefault() // the browser would take back what was typed into another cell
  if (event.ctrlKey || event.metaKey) return
  const element = event.currentTarget as HTMLTableRowElement
  const isChoosing = input.getAttribute('aria-expanded') === 'true'
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined
  if (isChoosing) return
  if (by && event.altKey) row.item && row.onMove(by)
  else if (by) focusCell(by === 1 ? element.nextElementSibling : element.previousElementSibling, name)
  else if (event.key === 'Enter' && !event.shiftKey) {
    void cells.commit({ insists: name })
    if (element.nextElementSibling) focusCell(element.nextElementSibling, name)
    else if (row.item || cells.isChanged()) row.onNext()
  } else if (event.key === 'Escape' && cells.takeBack(name)) row.onTakenBack(name)
  else if (event.key === 'Escape' && !row.item && !cells.isChanged()) row.onRemove()
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Moves the focus to a cell of a row; without a name, to its first one. */
export function focusCell(row: Element | null, name: CellName = cellNames[0]): void {
  const input = row?.querySelector<HTMLInputElement>(`[data-cell="${name}"] input`)
  input?.focus()
  input?.select()
}
