import { CsvReader, columnsMax } from '../../../files/csv.ts'
import { FileFault } from '../../../files/fault.ts'
import { FileDecoder } from '../../../files/text-decoder.ts'
import { VCardReader } from '../../../files/vcard.ts'
import { csvLine, guarded } from '../../../lib/csv.ts'
import { busyUntil } from '../data/busy.ts'
import { sizeText } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** A table as exported by another program. */
export interface Sheet {
  name: string
  format: 'csv' | 'vcard'
  columns: string[]
  /** Cells in the order of the columns. */
  rows: string[][]
}

export const fileBytesMax = 10 * 2 ** 20
export const rowsMax = 50_000

/** Reads a CSV or vCard file in any encoding (decision K4). Throws Error with a message for the user. */
export async function readSheet(file: File): Promise<Sheet> {
  if (file.size > fileBytesMax) {
    throw new Error(
      t('The file has {size}; at most {limit} can be imported at once: split it.', {
        size: sizeText(file.size),
        limit: sizeText(fileBytesMax),
      }),
    )
  }
  const format = /\.vcf$/i.test(file.name) ? 'vcard' : 'csv'
  const [head, ...rows] = linesOf(format, new Uint8Array(await busyUntil('file', file.arrayBuffer())))
  if (!head) throw new Error(t('The file is empty.'))
  if (rows.length === 0) throw new Error(t('The file has only one line. The first line must contain the column names.'))
  if (rows.length > rowsMax) {
    throw new Error(
      t('The file has {length} rows; at most {rowsMax} can be imported at once: split it.', {
        length: rows.length.toLocaleString(),
        rowsMax: rowsMax.toLocaleString(),
      }),
    )
  }
  const tooLong = rows.findIndex((row) => row.length > head.length)
  if (tooLong !== -1) {
    throw new Error(
      t('Row {value} has {length} cells, but there are {length2} columns.', {
        value: tooLong + 2,
        length: rows[tooLong]!.length,
        length2: head.length,
      }),
    )
  }
  const columns = head.map((column, at) => column.trim() || t('Column {value}', { value: at + 1 }))
  return { name: file.name, format, columns, rows: rows.map((row) => columns.map((_, at) => row[at] ?? '')) }
}

/** The rows of a file, its header first. Throws Error. */
function linesOf(format: Sheet['format'], bytes: Uint8Array): string[][] {
  try {
    const decoder = new FileDecoder()
    const text = decoder.push(bytes) + decoder.end()
    if (format === 'vcard') return cardsOf(text)
    const reader = new CsvReader()
    return [...reader.push(text), ...reader.end()].map(({ cells }) => cells)
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    throw new Error(
      error.line === undefined
        ? t('The file {message}.', { message: error.message })
        : t('Line {line}: {message}.', { line: error.line, message: error.message }),
    )
  }
}

function cardsOf(text: string): string[][] {
  const reader = new VCardReader()
  const cards = [...reader.push(text), ...reader.end()]
  const header = [...new Set(cards.flatMap(({ cells }) => [...cells.keys()]))]
  if (header.length > columnsMax) throw new FileFault(t('has more than {columnsMax} properties', { columnsMax }))
  return cards.length === 0 ? [] : [header, ...cards.map(({ cells }) => header.map((name) => cells.get(name) ?? ''))]
}

/** Writes CSV. No cell is a formula to a spreadsheet program. */
export function writeCsv(columns: string[], rows: string[][]): string {
  return [columns, ...rows].map((cells) => csvLine(guarded(cells))).join('')
}
