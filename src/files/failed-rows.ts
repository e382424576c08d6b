import { reasonColumn } from './match.ts'

interface FailedRows {
  readonly header: readonly string[]
  row(cells: readonly string[], reasons: readonly string[]): string[]
}

/** A table of rows that failed, to be corrected and imported again. What a row has beyond the header is behind the reasons: it fails again. */
export function failedRows(columns: readonly string[]): FailedRows {
  const kept = columns.flatMap((name, index) => (name === reasonColumn ? [] : [index]))
  return {
    header: [...kept.map((index) => columns[index]!), reasonColumn],
    row: (cells, reasons) => [
      ...kept.map((index) => cells[index] ?? ''),
      reasons.join('; '),
      ...cells.slice(columns.length),
    ],
  }
}
