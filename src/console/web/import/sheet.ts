import { distinctNames } from '../../../files/column-names.ts'
import type { Detected } from '../../../files/encoding-probe.ts'
import { FileFault } from '../../../files/fault.ts'
import type { Layout, WholeFile } from '../../../files/whole-file.ts'
import { detectEncoding, layOut, readWhole } from '../../../files/whole-file.ts'
import { csvLine, guarded } from '../../../lib/csv.ts'
import { busyUntil } from '../data/busy.ts'
import { sizeText } from '../text/format.ts'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'

/** A file that has been read in one of the encodings that it may have. */
export interface FileRead {
  name: string
  format: 'csv' | 'vcard'
  bytes: Uint8Array
  whole: WholeFile
  encoding: string
  detected: Detected
}

/** A table as exported by another program. */
export interface Sheet {
  name: string
  format: 'csv' | 'vcard'
  columns: string[]
  /** The columns as users read them: those of a vCard have names that this program has given them, and no two have one name. */
  shown: string[]
  /** Cells in the order of the columns, and what a row has beyond them. */
  rows: string[][]
  /** The lines of the file where the rows begin. */
  lines: number[]
  /** Why rows cannot be imported, by index. */
  faults: Map<number, string>
  remarks: Layout['remarks']
}

export const fileBytesMax = 10 * 2 ** 20
export const rowsMax = 50_000

/** Reads a CSV or vCard file in any encoding (decision K4). Throws Error with a message for the user. */
export async function readFile(file: File): Promise<FileRead> {
  if (file.size > fileBytesMax) {
    throw new Error(
      t('The file has {size}; at most {limit} can be imported at once: split it.', {
        size: sizeText(file.size),
        limit: sizeText(fileBytesMax),
      }),
    )
  }
  const format = /\.vcf$/i.test(file.name) ? 'vcard' : 'csv'
  const bytes = new Uint8Array(await busyUntil('file', file.arrayBuffer()))
  return explained(() => {
    const detected = detectEncoding(bytes, format)
    return readAs({ name: file.name, format, bytes, detected }, detected.encoding)
  })
}

/** Reads the same file in another encoding. Throws Error. */
export function readAs(read: Omit<FileRead, 'whole' | 'encoding'>, encoding: string): FileRead {
  const whole = explained(() => readWhole(read.bytes, read.format, encoding))
  const { lines, cards } = whole
  const rows = cards.length > 0 ? cards.length : lines.length - 1
  if (rows === -1) throw new Error(t('The file is empty.'))
  if (rows === 0) throw new Error(t('The file has only one line. The first line must contain the column names.'))
  if (rows > rowsMax) {
    throw new Error(
      t('The file has {length} rows; at most {rowsMax} can be imported at once: split it.', {
        length: rows.toLocaleString(),
        rowsMax: rowsMax.toLocaleString(),
      }),
    )
  }
  return { ...read, whole, encoding }
}

/** Finds the table in a file. Rows for which `isLeftOut` is true are not in it. Throws Error. */
export function sheetOf(
  { name, format, whole }: FileRead,
  fits: (cells: readonly string[]) => boolean,
  isLeftOut: (header: readonly string[]) => (cells: readonly string[]) => boolean,
): { sheet: Sheet; skipped: number } {
  const { header, rows, remarks } = explained(() => layOut(whole, fits))
  const isSkipped = isLeftOut(header)
  const kept = rows.filter(({ cells }) => !isSkipped(cells))
  const columns = header.map((column, at) => column.trim() || t('Column {value}', { value: at + 1 }))
  const sheet = {
    ...{ name, format, columns, remarks },
    shown: format === 'vcard' ? columns.map(shownText) : distinctNames(columns),
    rows: kept.map(({ cells }) => [...columns.map((_, at) => cells[at] ?? ''), ...cells.slice(columns.length)]),
    lines: kept.map(({ line }) => line),
    faults: new Map(kept.flatMap(({ fault }, at) => (fault === undefined ? [] : [[at, serverText(fault)]]))),
  }
  return { sheet, skipped: rows.length - kept.length }
}

/** `E-mail 1 - Value`, `Last name`, `X-GENDER` in the user's language. */
function shownText(column: string): string {
  return column.replace(/^E-mail|^Phone|(?<=\d - )\w+$|^[^-]+$/g, serverText)
}

function explained<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    const { line, message } = error
    throw new Error(`${serverText(line === undefined ? `The file ${message}` : `Line ${line}: ${message}`)}.`)
  }
}

/** Writes CSV. No cell is a formula to a spreadsheet program. */
export function writeCsv(columns: readonly string[], rows: string[][]): string {
  return [columns, ...rows].map((cells) => csvLine(guarded(cells))).join('')
}
