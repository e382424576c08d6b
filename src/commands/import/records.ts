import { parseJson as parse } from '../../engine/records/kinds/exact-numbers.ts'
import { OperatorError } from '../../errors.ts'
import { malformed, readText, type Source } from './source.ts'

/** A record of a JSON or NDJSON file. */
interface JsonRecord {
  readonly line: number
  readonly value: unknown
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
      if (each.trim() !== '') yield { line, value: parseJson(source, line, each) }
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, value: parseJson(source, line + 1, rest) }
}

/** An array of records, or `{"records": [...]}`. */
async function readArray(source: Source): Promise<JsonRecord[]> {
  const texts: string[] = []
  for await (const text of readText(source)) texts.push(text)
  const value = parseJson(source, 1, texts.join('').replace(/^\uFEFF/, ''))
  const records = Array.isArray(value) ? value : (value as { records?: unknown } | null)?.records
  if (!Array.isArray(records)) throw new OperatorError(`${source.path} must be a JSON array of records.`)
  return records.map((value, index) => ({ line: index + 1, value }))
}

function parseJson(source: Source, line: number, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw malformed(source, line, `is not valid JSON: ${(error as Error).message}`)
  }
}
