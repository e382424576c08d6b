import { parseJson as parse } from '../../engine/records/kinds/exact-numbers.ts'
import { OperatorError } from '../../errors.ts'
import { longNumber, parseExact } from '../../lib/exact-json.ts'
import { malformed, readText, type Source } from './source.ts'

/** A record of a JSON or NDJSON file. */
interface JsonRecord {
  readonly line: number
  readonly value: unknown
  /** The same with all digits of its numbers. */
  readonly exact: unknown
}

const lineCharactersMax = 16 * 2 ** 20

/** Reads the records of a file in order. Throws OperatorError with the line if the file does not have its format. */
export async function* readRecords(source: Source): AsyncGenerator<JsonRecord> {
  if (source.format === 'ndjson') yield* readLines(source)
  else yield* await readArray(source)
}

async function* readLines(source: Source): AsyncGenerator<JsonRecord> {
  let line = 0
  let rest = ''
  for await (const text of readText(source)) {
    const lines = (line === 0 && rest === '' ? text.replace(/^\uFEFF/, '') : rest + text).split('\n')
    rest = lines.pop()!
    if (rest.length > lineCharactersMax) throw malformed(source, line + 1, 'is too long')
    for (const each of lines) {
      line++
      if (each.trim() !== '') yield { line, ...parseJson(source, line, each) }
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, ...parseJson(source, line + 1, rest) }
}

/** An array of records, or `{"records": [...]}`. */
async function readArray(source: Source): Promise<JsonRecord[]> {
  const texts: string[] = []
  for await (const text of readText(source)) texts.push(text)
  const { value, exact } = parseJson(source, 1, texts.join('').replace(/^\uFEFF/, ''))
  const [records, exactly] = [recordsIn(value), recordsIn(exact)]
  if (!records || !exactly) throw new OperatorError(`${source.path} must be a JSON array of records.`)
  return records.map((value, index) => ({ line: index + 1, value, exact: exactly[index] }))
}

function recordsIn(value: unknown): unknown[] | undefined {
  const records = Array.isArray(value) ? value : (value as { records?: unknown } | null)?.records
  return Array.isArray(records) ? records : undefined
}

function parseJson(source: Source, line: number, text: string): Pick<JsonRecord, 'value' | 'exact'> {
  try {
    const value = parse(text)
    return { value, exact: longNumber.test(text) ? parseExact(text) : value }
  } catch (error) {
    throw malformed(source, line, `is not valid JSON: ${(error as Error).message}`)
  }
}
