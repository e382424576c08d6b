import { createReadStream, type Stats, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { ConfigError } from '../../config.ts'
import { OperatorError } from '../../errors.ts'
import { type Detected, EncodingProbe } from '../../files/encoding-probe.ts'
import { FileFault } from '../../files/fault.ts'
import { FileDecoder } from '../../files/text-decoder.ts'

const formats = ['csv', 'json', 'ndjson', 'vcard'] as const
export type Format = (typeof formats)[number]

/** A file to import, and how much of it has been read. */
export interface Source {
  readonly path: string
  readonly format: Format
  /** As in the Encoding Standard. */
  readonly encoding: string
  readonly delimiter: string | undefined
  readonly bytes: number
  /** The file and its state. */
  readonly version: string
  bytesRead: number
}

interface Opening {
  format?: Format
  /** auto: it is detected. */
  encoding: string
  delimiter?: string
  notify(text: string): void
}

const candidatesShown = 3

/** Throws OperatorError if the file does not exist, ConfigError if its encoding has to be chosen. */
export async function openSource(path: string, { format, encoding, delimiter, notify }: Opening): Promise<Source> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new OperatorError(`${path} does not exist or is not a file.`)
  const state = { bytes: stats.size, bytesRead: 0, version: versionOf(stats) }
  const source = { path, format: format ?? formatOf(path), encoding, delimiter, ...state }
  if (encoding !== 'auto') return source
  const detected = await detect(source)
  const [first] = detected.candidates
  if (first && !detected.isCertain) throw uncertain(path, detected)
  if (first) {
    notify(`Read as ${first.encoding}: ${first.samples.join(', ')}. If that is wrong, choose another with --encoding.`)
  }
  return { ...source, encoding: detected.encoding }
}

async function detect(source: Source): Promise<Detected> {
  const probe = new EncodingProbe({ isCards: source.format === 'vcard' })
  for await (const chunk of createReadStream(source.path)) checked(source, () => probe.push(chunk))
  return checked(source, () => probe.end())
}

function uncertain(path: string, { candidates }: Detected): ConfigError {
  const shown = candidates.slice(0, candidatesShown)
  const lines = shown.map(({ encoding, samples }) => `  ${encoding}: ${samples.join(', ')}`)
  return new ConfigError(
    `The encoding of ${path} is not certain. Choose one with --encoding:\n${lines.join('\n')}\nNothing was imported`,
  )
}

function formatOf(path: string): Format {
  const known: Record<string, Format> = { '.json': 'json', '.ndjson': 'ndjson', '.jsonl': 'ndjson', '.vcf': 'vcard' }
  return known[extname(path).toLowerCase()] ?? 'csv'
}

/** Reads the file from its beginning. Throws OperatorError if it is another one than before: its columns may be others, too. */
export async function* readBytes(source: Source): AsyncGenerator<Uint8Array> {
  source.bytesRead = 0
  await using handle = await open(source.path)
  const requireSame = async () => {
    if (versionOf(await handle.stat()) === source.version) return
    throw new OperatorError(`${source.path} has changed since the import began: begin again.`)
  }
  await requireSame()
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    source.bytesRead += chunk.length
    yield chunk
  }
  await requireSame()
}

function versionOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

/** The same as text. */
export async function* readText(source: Source): AsyncGenerator<string> {
  const decoder = new FileDecoder(source.encoding)
  for await (const chunk of readBytes(source)) yield checked(source, () => decoder.push(chunk))
  yield checked(source, () => decoder.end())
}

/** Returns what `read` returns. A mistake in the file becomes an OperatorError with its place. */
export function checked<T>({ path }: Source, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    const { line, alternative } = error
    const message = alternative === undefined ? error.message : `${error.message}, or ${alternative}`
    throw new OperatorError(line === undefined ? `${path} ${message}.` : `${path}, line ${line}: ${message}.`)
  }
}

export function malformed({ path }: Source, line: number, what: string): OperatorError {
  return new OperatorError(`${path}, line ${line}: ${what}.`)
}
