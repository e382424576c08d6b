import { OperatorError } from '../../errors.ts'
import { CsvReader, columnsMax, type Line } from '../../files/csv.ts'
import { headerIndex, headerRowsMax, TableEnd } from '../../files/table-end.ts'
import { cardRow, groupRemark, type Remark, remarkOf, rowOf, type TableRow } from '../../files/table-rows.ts'
import { type Card, VCardReader } from '../../files/vcard.ts'
import { cardColumns } from '../../files/vcard-cells.ts'
import { checked, readBytes, readText, type Source } from './source.ts'

/** A file of rows. Its columns are in its header, or are the properties of its cards. */
export interface Table {
  readonly header: readonly string[]
  /** The lines above the header. */
  readonly above: readonly Remark[]
  /** Reads the rows from the beginning of the file. What is no record is given to `leave`. Throws OperatorError. */
  rows(leave: (what: 'below' | 'group', remark: Remark) => void): AsyncGenerator<TableRow>
}

/** Of the rows in which the header is looked for. */
const headCharactersMax = 4 * 2 ** 20

/** `fits` tells whether a row can be the header. Throws OperatorError if the file has no rows. */
export async function openTable(source: Source, fits: (cells: readonly string[]) => boolean): Promise<Table> {
  if (source.format === 'vcard') return openCards(source)
  const first = await firstLines(source)
  if (first.length === 0) throw new OperatorError(`${source.path} is empty.`)
  const index = headerIndex(
    first.map(({ cells }) => cells),
    fits,
  )
  const { line: headerLine, cells } = first[index]!
  const header = cells.map((name, at) => name.trim() || `Column ${at + 1}`)
  return {
    header,
    above: first.slice(0, index).map(remarkOf),
    async *rows(leave) {
      const end = new TableEnd(cells)
      for await (const line of readCsv(source)) {
        if (line.line <= headerLine) continue
        yield* end.push(line).map((each) => rowOf(each, header.length))
        for (const each of end.left()) leave('below', remarkOf(each))
      }
      const { rows, below } = end.end()
      yield* rows.map((each) => rowOf(each, header.length))
      for (const line of below) leave('below', remarkOf(line))
    },
  }
}

async function firstLines(source: Source): Promise<Line[]> {
  const lines: Line[] = []
  let characters = 0
  for await (const line of readCsv(source)) {
    lines.push(line)
    for (const cell of line.cells) characters += cell.length
    if (lines.length === headerRowsMax || characters > headCharactersMax) break
  }
  return lines
}

async function* readCsv(source: Source): AsyncGenerator<Line> {
  const reader = new CsvReader(source.delimiter)
  for await (const text of readText(source)) yield* checked(source, () => reader.push(text))
  yield* checked(source, () => reader.end())
}

async function openCards(source: Source): Promise<Table> {
  const names = new Set<string>()
  let isEmpty = true
  for await (const { cells, group } of readCards(source)) {
    isEmpty = false
    if (group === undefined) for (const name of cells.keys()) names.add(name)
    if (names.size > columnsMax) throw new OperatorError(`${source.path} has more than ${columnsMax} properties.`)
  }
  if (isEmpty) throw new OperatorError(`${source.path} is empty.`)
  const header = cardColumns(names)
  return {
    header,
    above: [],
    async *rows(leave) {
      for await (const card of readCards(source)) {
        if (card.group === undefined) yield cardRow(card, header)
        else leave('group', groupRemark(card))
      }
    },
  }
}

async function* readCards(source: Source): AsyncGenerator<Card> {
  const reader = new VCardReader(source.encoding)
  for await (const bytes of readBytes(source)) yield* checked(source, () => reader.push(bytes))
  yield* checked(source, () => reader.end())
}
