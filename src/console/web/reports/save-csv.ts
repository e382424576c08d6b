import { csvLine, guarded } from '../../../lib/csv.ts'
import { saveFile } from '../data/save-file.ts'

/** Saves a table as a file for spreadsheet programs, which recognize UTF-8 by the mark at its beginning. No cell is a formula to them. */
export function saveCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  const lines = rows.map((cells) => csvLine(guarded(cells.map(String))))
  saveFile(new Blob(['\uFEFF', ...lines], { type: 'text/csv' }), `${name}.csv`)
}
