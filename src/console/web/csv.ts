import { type ParseResult, parse, unparse } from 'papaparse'
import { guardCell, unguardCell } from '../../lib/formula.ts'

/** A table as exported by a spreadsheet program. */
export interface Sheet {
  name: string
  columns: string[]
  /** Cells in the order of the columns. */
  rows: string[][]
}

export const fileBytesMax = 10 * 2 ** 20
export const rowsMax = 50_000

/** Reads a CSV file in UTF-8, UTF-16 or Latin-1, with any of the usual delimiters. Throws Error with a message for the user. */
export async function readSheet(file: File): Promise<Sheet> {
  if (file.size > fileBytesMax) {
    throw new Error(
      `The file has ${megabytes(file.size)}; at most ${megabytes(fileBytesMax)} can be imported at once: split it.`,
    )
  }
  const { data }: ParseResult<string[]> = parse(decode(await file.arrayBuffer()), { skipEmptyLines: 'greedy' })
  const [head, ...rows] = data
  if (!head) throw new Error('The file is empty.')
  if (rows.length === 0) throw new Error('The file has only one line. The first line must contain the column names.')
  if (rows.length > rowsMax) {
    throw new Error(
      `The file has ${rows.length.toLocaleString()} rows; at most ${rowsMax.toLocaleString()} can be imported at once: split it.`,
    )
  }
  const columns = head.map((column, at) => unguardCell(column).trim() || `Column ${at + 1}`)
  return { name: file.name, columns, rows: rows.map((row) => columns.map((_, at) => unguardCell(row[at] ?? ''))) }
}

/** Decodes a file. If it is not Unicode, it is read as Windows-1252, which Western spreadsheet programs write. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Writes CSV. No cell is a formula to a spreadsheet program. */
export function writeCsv(columns: string[], rows: string[][]): string {
  return unparse({ fields: columns.map(guardCell), data: rows.map((row) => row.map(guardCell)) }, { newline: '\r\n' })
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}
