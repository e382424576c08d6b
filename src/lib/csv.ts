import { guardCell } from './formula.ts'

const special = /["\r\n,;\t|]|^\s|\s$/

/** A line of CSV (RFC 4180). Cells are written as they are: `guarded` prevents that a spreadsheet runs one. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join()}\r\n`
}

export function guarded(cells: readonly string[]): string[] {
  return cells.map(guardCell)
}
