import { OperatorError } from '../../errors.ts'
import { CsvReader, columnsMax, type Line } from '../../files/csv.ts'
import { VCardReader } from '../../files/vcard.ts'
import { checked, readText, type Source } from './source.ts'

/** A file of rows. Its columns are in the first row, or are the properties of its cards. */
export interface Table {
  readonly header: readonly string[]
  /** Reads the rows from the beginning of the file. Throws OperatorError. */
  rows(): AsyncGenerator<Line>
}

/** Throws OperatorError if the file has no rows. */
export async function openTable(source: Source): Promise<Table> {
  if (source.format === 'vcard') return openCards(source)
  for await (const { cells } of readCsv(source)) {
    return {
      header: cells.map((name, at) => name.trim() || `Column ${at + 1}`),
      async *rows() {
        let isHeader = true
        for await (const line of readCsv(source)) {
          if (!isHeader) yield line
          isHeader = false
        }
      },
    }
  }
  throw new OperatorError(`${source.path} is empty.`)
}

async function* readCsv(source: Source): AsyncGenerator<Line> {
  const reader = new CsvReader(source.delimiter)
  for await (const text of readText(source)) yield* checked(source, () => reader.push(text))
  yield* checked(source, () => reader.end())
}

async function openCards(source: Source): Promise<Table> {
  const names = new Set<string>()
  for await (const { cells } of readCards(source)) {
    for (const name of cells.keys()) names.add(name)
    if (names.size > columnsMax) throw new OperatorError(`${source.path} has more than ${columnsMax} properties.`)
  }
  const header = [...names]
  return {
    header,
    async *rows() {
      for await (const { line, cells } of readCards(source)) {
        yield { line, cells: header.map((name) => cells.get(name) ?? '') }
      }
    },
  }
}

async function* readCards(source: Source) {
  const reader = new VCardReader()
  for await (const text of readText(source)) yield* checked(source, () => reader.push(text))
  yield* checked(source, () => reader.end())
}
