// Prevents spreadsheet programs from running cells of a CSV file as formulas.

const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-?\d+(?:\.\d+)?$/

/** Prefixes a cell with `'` if a spreadsheet could treat it as a formula. Numbers are unchanged. */
export function guardCell(cell: string): string {
  return formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
}

/** Removes the prefix that `guardCell` adds. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
