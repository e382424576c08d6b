import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parseJson as parse } from '../../engine/write/exact-numbers.ts'
import { OperatorError } from '../../errors.ts'

export const formats = ['csv', 'json', 'ndjson'] as const
export type Format = (typeof formats)[number]

export const encodings = ['utf-8', 'latin1'] as const
export type Encoding = (typeof encodings)[number]

/** A file to import, and how far it is read. */
export interface Source {
  readonly path: string
  readonly format: Format
  readonly encoding: Encoding
  readonly bytes: number
  bytesRead: number
}

/** One record of a file: `cells` are those of its line in a CSV file, whose first record is the header. */
export type SourceRecord = { line: number } & ({ cells: string[] } | { value: unknown })

const lineCharactersMax = 16 * 2 ** 20

/** Throws OperatorError where there is no such file. */
export function openSource(path: string, format: Format | undefined, encoding: Encoding): Source {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new OperatorError(`There is no file ${path}.`)
  return { path, format: format ?? formatOf(path), encoding, bytes: stats.size, bytesRead: 0 }
}

/** The records of a file, in order. Throws OperatorError, naming the line, where it is not what its format says. */
export async function* readSource(source: Source, delimiter: string | undefined): AsyncGenerator<SourceRecord> {
  if (source.format === 'csv') yield* (await import('./csv.ts')).readCsv(source, readText(source), delimiter)
  else if (source.format === 'ndjson') yield* readLines(source)
  else yield* await readArray(source)
}

function formatOf(path: string): Format {
  const known: Record<string, Format> = { '.json': 'json', '.ndjson': 'ndjson', '.jsonl': 'ndjson' }
  return known[extname(path).toLowerCase()] ?? 'csv'
}

/** Latin-1 is what Excel means by it: windows-1252. */
async function* readText(source: Source): AsyncGenerator<string> {
  const decoder = decoderOf(source)
  for await (const chunk of createReadStream(source.path)) {
    source.bytesRead += chunk.length
    yield decode(source, () => decoder.decode(chunk, { stream: true }))
  }
  yield decode(source, () => decoder.decode())
}

function decoderOf({ encoding }: Source): TextDecoder {
  return new TextDecoder(encoding === 'latin1' ? 'windows-1252' : 'utf-8', { fatal: true })
}

function decode({ path, encoding }: Source, run: () => string): string {
  try {
    return run()
  } catch {
    const hint = encoding === 'utf-8' ? ': if it comes from an older Excel, try --encoding latin1' : ''
    throw new OperatorError(`${path} is not ${encoding.toUpperCase()}${hint}.`)
  }
}

async function* readLines(source: Source): AsyncGenerator<SourceRecord> {
  let line = 0
  let rest = ''
  for await (const text of readText(source)) {
    const lines = (rest + text).split('\n')
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
async function readArray(source: Source): Promise<SourceRecord[]> {
  const bytes = await readFile(source.path)
  source.bytesRead = bytes.length
  const value = parseJson(
    source,
    1,
    decode(source, () => decoderOf(source).decode(bytes)),
  )
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

export function malformed({ path }: Source, line: number, what: string): OperatorError {
  return new OperatorError(`${path}, line ${line}: ${what}.`)
}
