import { useLayoutEffect, useRef } from 'preact/hooks'
import { isCombined, isForInput, isOff } from '../parts/key-presses.ts'

/** What the keys of a list do with a row, by its id. */
interface ListActions {
  open(id: string, where?: 'new window'): void
  toggle(id: string, toLast: boolean): void
  edit(cell: HTMLElement): void
  clear(): void
}

const cells = '.records tbody [data-column]'

/** The keys of a list: j, k and the arrows move the focus between cells, x selects, e edits, Enter opens, Escape clears. */
export function useListKeys(actions: ListActions): void {
  const latest = useRef(actions)
  latest.current = actions
  // Before the paint, so that no key is lost once the list shows.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const cell = target.closest<HTMLElement>(cells)
      const isStep = /^[jk]$/.test(event.key) && !target.closest('[popover]') // also after a filter
      const isOurs = cell ?? (isStep || target.closest('.records') || target.matches('body, main, h1, .scroll'))
      if (!isOurs || event.defaultPrevented || isCombined(event) || isForInput(event) || isOff(event)) return
      if (pressKey(event, cell ?? undefined, latest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Returns whether the key means something here. */
function pressKey({ key, shiftKey, target }: KeyboardEvent, cell: HTMLElement | undefined, to: ListActions): boolean {
  const down = { j: 1, k: -1 }[key] ?? (cell ? { ArrowDown: 1, ArrowUp: -1 }[key] : undefined)
  if (down) return moveDown(cell, down)
  if (key === 'Escape') {
    to.clear()
    return true
  }
  if (!cell) return false
  const id = rowOf(cell)
  if (key === 'x' || key === 'X') to.toggle(id, shiftKey)
  else if (key === 'e') to.edit(cell)
  else if (key === 'Enter' && target === cell) to.open(id)
  else if (key === 'ArrowLeft') focusCell(cell.previousElementSibling)
  else if (key === 'ArrowRight') focusCell(cell.nextElementSibling)
  else return false
  return true
}

/** Without a focused cell, to the first row. */
function moveDown(cell: HTMLElement | undefined, by: number): boolean {
  const row = cell?.closest('tr')
  const next = row ? (by > 0 ? row.nextElementSibling : row.previousElementSibling) : document.querySelector(rows)
  const name = cell?.dataset.column
  focusCell(next?.querySelector(name ? `[data-column="${CSS.escape(name)}"]` : '[data-column]'))
  return true
}

const rows = '.records tbody tr'

function focusCell(cell: Element | null | undefined): void {
  if (!(cell instanceof HTMLElement) || cell.dataset.column === undefined) return
  cell.focus()
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** The id of the row that has an element. */
export function rowOf(element: Element): string {
  return element.closest<HTMLElement>('tr')!.dataset.id!
}
