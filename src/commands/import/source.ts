import { createReadStream, statSync } from 'node:fs'
import { extname } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { FileFault } from '../../files/fault.ts'
import { type Encoding, FileDecoder } from '../../files/text-decoder.ts'

const formats = ['csv', 'json', 'ndjson', 'vcard'] as const
export type Format = (typeof formats)[number]

/** A file to import, and how much of it has been read. */
export interface Source {
  readonly path: string
  readonly format: Format
  readonly encoding: Encoding
  readonly delimiter: string | undefined
  readonly bytes: number
  bytesRead: number
}

/** Throws OperatorError if the file does not exist. */
export function openSource(
  path: string,
  { format, encoding, delimiter }: { format?: Format; encoding: Encoding; delimiter?: string },
): Source {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new OperatorError(`${path} does not exist or is not a file.`)
  return { path, format: format ?? formatOf(path), encoding, delimiter, bytes: stats.size, bytesRead: 0 }
}

function formatOf(path: string): Format {
  const known: Record<string, Format> = { '.json': 'json', '.ndjson': 'ndjson', '.jsonl': 'ndjson', '.vcf': 'vcard' }
  return known[extname(path).toLowerCase()] ?? 'csv'
}

/** Reads the file from its beginning. Throws OperatorError. */
export async function* readText(source: Source): AsyncGenerator<string> {
  const decoder = new FileDecoder(source.encoding)
  source.bytesRead = 0
  for await (const chunk of createReadStream(source.path)) {
    source.bytesRead += chunk.length
    yield checked(source, () => decoder.push(chunk))
  }
  yield checked(source, () => decoder.end())
}

/** Returns what `read` returns. A mistake in the file becomes an OperatorError with its place. */
export function checked<T>({ path }: Source, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    const { line, message } = error
    throw new OperatorError(line === undefined ? `${path} ${message}.` : `${path}, line ${line}: ${message}.`)
  }
}

export function malformed({ path }: Source, line: number, what: string): OperatorError {
  return new OperatorError(`${path}, line ${line}: ${what}.`)
}
