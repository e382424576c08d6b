import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { OperatorError } from '../../errors.ts'

export const formats = ['csv', 'json', 'ndjson'] as const
export type Format = (typeof formats)[number]

export const encodings = ['utf-8', 'latin1'] as const
export type Encoding = (typeof encodings)[number]

/** A file to import, and how much of it has been read. */
export interface Source {
  readonly path: string
  readonly format: Format
  readonly encoding: Encoding
  readonly bytes: number
  bytesRead: number
}

/** One record of a file: `cells` are those of its line in a CSV file, whose first record is the header. */
export type SourceRecord = { line: number } & ({ cells: string[] } | { value: unknown })

/** Throws OperatorError if the file does not exist. */
export function openSource(path: string, format: Format | undefined, encoding: Encoding): Source {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new OperatorError(`${path} does not exist or is not a file.`)
  return { path, format: format ?? formatOf(path), encoding, bytes: stats.size, bytesRead: 0 }
}

function formatOf(path: string): Format {
  const known: Record<string, Format> = { '.json': 'json', '.ndjson': 'ndjson', '.jsonl': 'ndjson' }
  return known[extname(path).toLowerCase()] ?? 'csv'
}

/** Reads `latin1` as windows-1252, as Excel does. */
export async function* readText(source: Source): AsyncGenerator<string> {
  const decoder = decoderOf(source)
  for await (const chunk of createReadStream(source.path)) {
    source.bytesRead += chunk.length
    yield decode(source, () => decoder.decode(chunk, { stream: true }))
  }
  yield decode(source, () => decoder.decode())
}

export async function readWholeText(source: Source): Promise<string> {
  const bytes = await readFile(source.path)
  source.bytesRead = bytes.length
  return decode(source, () => decoderOf(source).decode(bytes))
}

function decoderOf({ encoding }: Source): TextDecoder {
  return new TextDecoder(encoding === 'latin1' ? 'windows-1252' : 'utf-8', { fatal: true })
}

function decode({ path, encoding }: Source, run: () => string): string {
  try {
    return run()
  } catch {
    const hint = encoding === 'utf-8' ? ': if it comes from an older version of Excel, try --encoding latin1' : ''
    throw new OperatorError(`${path} is not ${encoding.toUpperCase()}${hint}.`)
  }
}

export function malformed({ path }: Source, line: number, what: string): OperatorError {
  return new OperatorError(`${path}, line ${line}: ${what}.`)
}
