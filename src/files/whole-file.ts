import { CsvReader, columnsMax, type Line } from './csv.ts'
import { type Detected, EncodingProbe } from './encoding-probe.ts'
import { FileFault } from './fault.ts'
import { headerIndex, TableEnd } from './table-end.ts'
import { cardRow, groupRemark, type Remark, remarkOf, rowOf, type TableRow } from './table-rows.ts'
import { FileDecoder } from './text-decoder.ts'
import { type Card, VCardReader } from './vcard.ts'
import { cardColumns } from './vcard-cells.ts'

/** A file that has been read at once: the rows of a table with its header, or cards. */
export interface WholeFile {
  readonly lines: readonly Line[]
  readonly cards: readonly Card[]
}

/** The parts of a file. */
export interface Layout {
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
  /** Lines above the header and below the table, and groups of cards. */
  readonly remarks: Readonly<Record<'above' | 'below' | 'group', readonly Remark[]>>
}

/** Throws FileFault. */
export function detectEncoding(bytes: Uint8Array, format: 'csv' | 'vcard'): Detected {
  const probe = new EncodingProbe({ isCards: format === 'vcard' })
  probe.push(bytes)
  return probe.end()
}

/** Throws FileFault. */
export function readWhole(bytes: Uint8Array, format: 'csv' | 'vcard', encoding: string): WholeFile {
  if (format === 'vcard') {
    const reader = new VCardReader(encoding)
    return { lines: [], cards: [...reader.push(bytes), ...reader.end()] }
  }
  const decoder = new FileDecoder(encoding)
  const reader = new CsvReader()
  return { lines: [...reader.push(decoder.push(bytes)), ...reader.push(decoder.end()), ...reader.end()], cards: [] }
}

/** Finds the header and the end of a table, and the columns of cards. `fits` tells whether a row can be the header. Throws FileFault. */
export function layOut({ lines, cards }: WholeFile, fits: (cells: readonly string[]) => boolean): Layout {
  if (cards.length > 0) return layOutCards(cards)
  const head = headerIndex(
    lines.map(({ cells }) => cells),
    fits,
  )
  const header = lines[head]?.cells ?? []
  const end = new TableEnd(header)
  const rows = lines.slice(head + 1).flatMap((line) => end.push(line))
  const last = end.end()
  return {
    header,
    rows: [...rows, ...last.rows].map((line) => rowOf(line, header.length)),
    remarks: { above: lines.slice(0, head).map(remarkOf), below: last.below.map(remarkOf), group: [] },
  }
}

function layOutCards(cards: readonly Card[]): Layout {
  const people = cards.filter(({ group }) => group === undefined)
  const groups = cards.filter(({ group }) => group !== undefined)
  const header = cardColumns(new Set(people.flatMap(({ cells }) => [...cells.keys()])))
  if (header.length > columnsMax) throw new FileFault(`has more than ${columnsMax} properties`)
  return {
    header,
    rows: people.map((card) => cardRow(card, header)),
    remarks: { above: [], below: [], group: groups.map(groupRemark) },
  }
}
