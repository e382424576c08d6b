// Cells of a CSV file that a spreadsheet would take for a formula.

const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-?\d+(?:\.\d+)?$/

/** The cell with a `'` before it where a spreadsheet could run it; numbers stay as they are. */
export function guardCell(cell: string): string {
  return formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
}

/** Takes away what `guardCell` puts before a cell. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
