import type { Line } from './csv.ts'
import type { Card } from './vcard.ts'

/** A row of a table, or a card. */
export interface TableRow {
  readonly line: number
  readonly cells: readonly string[]
  /** Why it cannot be imported. */
  readonly fault?: string | undefined
}

/** A line that belongs to no record, with the beginning of its text. */
export interface Remark {
  readonly line: number
  readonly text: string
}

const remarkCharactersMax = 60

/** A row with more cells than the header cannot be imported. */
export function rowOf({ line, cells, width }: Line, columns: number): TableRow {
  return width <= columns
    ? { line, cells }
    : { line, cells, fault: `The row has ${width} cells, the header has ${columns}` }
}

export function cardRow({ line, cells, fault }: Card, header: readonly string[]): TableRow {
  const found = fault && `Line ${fault.line ?? line} ${fault.message}`
  return { line, cells: header.map((name) => cells.get(name) ?? ''), fault: found }
}

export function remarkOf({ line, cells }: Line): Remark {
  return { line, text: shortened(cells.filter(Boolean).join(' ')) }
}

/** Of a card that is a group. */
export function groupRemark({ line, group = '' }: Card): Remark {
  return { line, text: shortened(group) }
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, remarkCharactersMax)
}
