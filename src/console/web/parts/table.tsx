import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { number } from '../format.ts'
import type { Page } from '../http.ts'
import { Icon } from './icon.tsx'

export interface Column<T> {
  name: string
  label: string
  sortable?: boolean
  end?: boolean
  /** In a narrow table it goes early (`p4`) or late (`p2`); default: by its place. */
  leaves?: 'p2' | 'p3' | 'p4'
  cell(row: T): ComponentChildren
}

interface TableProps<T> {
  label: string
  columns: Column<T>[]
  rows: T[]
  /** `-name`: descending. */
  sort?: string | undefined
  onSort?: (sort: string) => void
}

/** From the third column on, narrow tables leave some out. */
const priorities = [undefined, undefined, 'p2', 'p2', 'p3', 'p4', 'p4']

/** A table whose first column names the row. */
export function Table<T extends { id: string }>({ label, columns, rows, sort, onSort }: TableProps<T>) {
  const classOf = ({ end, leaves }: Column<T>, at: number) =>
    [leaves ?? priorities[at], end && 'end'].filter(Boolean).join(' ')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table style={{ '--columns': columns.length }}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={column.name} class={classOf(column, at)} scope="col" aria-sort={directionOf(column.name, sort)}>
                {column.sortable && onSort ? (
                  <SortButton name={column.name} label={column.label} sort={sort} onSort={onSort} />
                ) : (
                  column.label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.name} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} class={classOf(column, at)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function directionOf(name: string, sort: string | undefined): 'ascending' | 'descending' | undefined {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : undefined
}

interface SortButtonProps {
  name: string
  label: string
  sort: string | undefined
  onSort: (sort: string) => void
}

function SortButton({ name, label, sort, onSort }: SortButtonProps) {
  const icon = sort === name ? ArrowUp : sort === `-${name}` ? ArrowDown : ChevronsUpDown
  return (
    <button type="button" class="sort" onClick={() => onSort(sort === name ? `-${name}` : name)}>
      {label}
      <Icon of={icon} />
    </button>
  )
}

interface PagerProps {
  /** What is shown. */
  of: Pick<Page<unknown>['pagination'], 'total' | 'page' | 'limit'>
  /** The page that was asked for: while it loads, another one is shown. Default: the one that is shown. */
  at?: number
  onPage: (page: number) => void
  searched?: boolean
  /** Default: true. */
  exact?: boolean
}

/** Says which rows of how many are shown, and leads to those before and after. */
export function Pager({ of: { total, page, limit }, at = page, onPage, searched = false, exact = true }: PagerProps) {
  const turn = (to: number) => (event: { currentTarget: HTMLElement }) => {
    onPage(to)
    const card = event.currentTarget.closest('.card')
    if (card && card.getBoundingClientRect().top < 0) card.scrollIntoView()
  }
  const [first, last] = [Math.min((page - 1) * limit + 1, total), Math.min(page * limit, total)]
  const of = `${exact ? '' : 'at least '}${number(total)}${searched ? ' found' : ''}`
  return (
    <nav class="pager" aria-label="Pages">
      <span class="muted small number" role="status">
        {searched && exact && total <= limit ? of : `${number(first)}–${number(last)} of ${of}`}
        {!exact && last === total && '. Search for more words to find the others.'}
      </span>
      <span class="row">
        <TurnButton label="Previous" isEnd={at <= 1} onClick={turn(at - 1)} />
        <TurnButton label="Next" isEnd={at * limit >= total} onClick={turn(at + 1)} />
      </span>
    </nav>
  )
}

interface TurnButtonProps {
  label: string
  isEnd: boolean
  onClick: (event: { currentTarget: HTMLElement }) => void
}

/** Keeps the focus at the end of the list, too, which a disabled button loses. */
function TurnButton({ label, isEnd, onClick }: TurnButtonProps) {
  return (
    <button type="button" class="button small" aria-disabled={isEnd} onClick={isEnd ? undefined : onClick}>
      {label}
    </button>
  )
}
