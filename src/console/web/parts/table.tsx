import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

export interface Column<T> {
  name: string
  label: string
  sortable?: boolean
  end?: boolean
  /** Narrow tables hide it early (`p4`) or late (`p2`); default: by its index. */
  leaves?: 'p2' | 'p3' | 'p4'
  cell(row: T): ComponentChildren
}

interface TableProps<T> {
  label: string
  columns: Column<T>[]
  rows: T[]
  /** The sort key; `-name` is descending. */
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** What a list adds: cells before the first column, and how its rows react. */
  list?: ListRows<T> | undefined
}

/** The rows of a list that can be selected, opened and edited. */
export interface ListRows<T> {
  /** Above the checkboxes. */
  head: ComponentChildren
  mark(row: T): ComponentChildren
  propsOf(row: T): Record<string, unknown>
}

/** Narrow tables hide some columns from the third on. */
const priorities = [undefined, undefined, 'p2', 'p2', 'p3', 'p4', 'p4']

/** A table whose first column names the row. */
export function Table<T extends { id: string }>({ label, columns, rows, sort, onSort, list }: TableProps<T>) {
  const classOf = ({ end, leaves }: Column<T>, at: number) =>
    [leaves ?? priorities[Math.min(at, priorities.length - 1)], end && 'end'].filter(Boolean).join(' ')
  const cellProps = ({ name }: Column<T>) => (list ? { tabIndex: -1, 'data-column': name } : {})
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table class={list ? 'records' : ''} style={{ '--columns': columns.length }}>
        <thead>
          <tr>
            {list && <td class="mark">{list.head}</td>}
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
            <tr key={row.id} {...list?.propsOf(row)}>
              {list && <td class="mark">{list.mark(row)}</td>}
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.name} scope="row" dir="auto" {...cellProps(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} class={classOf(column, at)} dir="auto" {...cellProps(column)}>
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
