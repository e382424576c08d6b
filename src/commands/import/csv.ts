import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { unguardCell } from '../../lib/formula.ts'
import { malformed, type Source, type SourceRecord } from './source.ts'

const delimiters = [',', ';', '\t', '|']
/** The maximum length of a record, so that an unclosed quote does not consume the rest of the file. */
const recordCharactersMax = 16 * 2 ** 20
const headerCharactersMax = 2 ** 20

/** The lines of a CSV file (RFC 4180; quoted cells may hold line breaks), the header first. */
export async function* readCsv(
  source: Source,
  texts: AsyncGenerator<string>,
  given: string | undefined,
): AsyncGenerator<SourceRecord> {
  const head = await readHead(texts)
  const parser = Readable.from(chain(head, texts)).pipe(
    parse({
      delimiter: given ?? detectDelimiter(head),
      info: true,
      relax_column_count: true, // rows with too many cells are reported later
      skip_empty_lines: true,
      max_record_size: recordCharactersMax,
    }),
  )
  try {
    for await (const { record, info } of parser) yield { line: info.lines, cells: record.map(unguardCell) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw malformed(source, Number((error as { lines?: number }).lines ?? 1), error.message.replace(/\.$/, ''))
  }
}

/** Reads enough to contain the header. */
async function readHead(texts: AsyncGenerator<string>): Promise<string> {
  let head = ''
  while (!head.includes('\n') && head.length < headerCharactersMax) {
    const { value, done } = await texts.next()
    if (done) break
    head += value
  }
  return head
}

async function* chain(head: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head
  yield* texts
}

/** The delimiter that splits the header into the most columns, ignoring quoted text. */
function detectDelimiter(head: string): string {
  const header = head.replace(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)[0]!
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}
