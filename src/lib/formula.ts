// Prevents spreadsheet programs from running cells of a CSV file as formulas.

const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** Digits that a person protected against becoming a number: `'0049 89`. */
const protectedDigits = /^'+\d[\d\s()/.-]*$/
/** What spreadsheet programs write for the same purpose: `="0049"`. */
const protectedText = /^="((?:[^"]|"")*)"$/
/** Longer cells are nobody's numbers, and would exhaust the expression. */
const protectedLengthMax = 1_000

/** Prefixes a cell with `'` if a spreadsheet could treat it as a formula. Numbers are unchanged. */
export function guardCell(cell: string): string {
  return protectedDigits.test(cell) || (formula.test(cell) && !plainNumber.test(cell)) ? `'${cell}` : cell
}

/** Removes the prefix that `guardCell` adds, and what spreadsheets write around text. */
export function unguardCell(cell: string): string {
  if (cell.startsWith("'") && (formula.test(cell) || protectedDigits.test(cell))) return cell.slice(1)
  if (!cell.startsWith('="') || cell.length > protectedLengthMax) return cell
  return protectedText.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell
}
