import { readFileSync } from 'node:fs'
import { describeResource } from '../../src/console/description.ts'
import { importedByPath } from '../../src/features/imports/imported.ts'
import { ColumnHints } from '../../src/files/column-hints.ts'
import { CsvReader } from '../../src/files/csv.ts'
import { EncodingProbe } from '../../src/files/encoding-probe.ts'
import { isHeader, type Match, matchColumns } from '../../src/files/match.ts'
import type { DeclaredField, FileRecord, Shape } from '../../src/files/shape.ts'
import { FileDecoder } from '../../src/files/text-decoder.ts'
import { isDeleted, recordMaker } from '../../src/files/to-record.ts'
import { type Card, VCardReader } from '../../src/files/vcard.ts'
import { detectEncoding, type Layout, layOut, readWhole } from '../../src/files/whole-file.ts'

/** Decodes bytes in chunks of this size, in the encoding that is detected. */
export function decode(bytes: Uint8Array, size = bytes.length || 1): string {
  const probe = new EncodingProbe()
  for (const chunk of chunksOf(bytes, size)) probe.push(chunk)
  const decoder = new FileDecoder(probe.end().encoding)
  return (
    chunksOf(bytes, size)
      .map((chunk) => decoder.push(chunk))
      .join('') + decoder.end()
  )
}

function chunksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** Reads the rows of a CSV text in chunks of this size. */
export function readCells(text: string, size = text.length || 1): string[][] {
  const reader = new CsvReader()
  const rows: string[][] = []
  for (let at = 0; at < text.length; at += size)
    rows.push(...reader.push(text.slice(at, at + size)).map(({ cells }) => cells))
  return [...rows, ...reader.end().map(({ cells }) => cells)]
}

/** The cells of the cards of a file in chunks of this size. A card that is at fault throws, a group is left out. */
export function readCards(file: string | Uint8Array, size?: number): Record<string, string>[] {
  return allCards(file, size).flatMap(({ cells, fault, group }) => {
    if (fault) throw fault
    return group === undefined ? [Object.fromEntries(cells)] : []
  })
}

export function allCards(file: string | Uint8Array, size?: number): Card[] {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const chunks = chunksOf(bytes, size ?? (bytes.length || 1))
  const probe = new EncodingProbe({ isCards: true })
  for (const chunk of chunks) probe.push(chunk)
  const reader = new VCardReader(probe.end().encoding)
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()]
}

export interface Read {
  match: Match
  header: string[]
  rows: string[][]
  /** The columns that are neither imported nor known. */
  listed: string[]
  records: FileRecord[]
  remarks: Layout['remarks']
  /** The rows that cannot be imported, with their reasons. */
  faults: { line: number; faults: string[] }[]
  /** Texts that were left out. */
  left: string[]
}

export function shapeOf(what: string, declared: DeclaredField[] = []): Shape {
  return { ...describeResource(importedByPath[what]!), declared }
}

/** What an import makes of the text of a file. */
export function readFile(
  what: string,
  file: string | Uint8Array,
  format: 'csv' | 'vcard' = 'csv',
  declared?: DeclaredField[],
): Read {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const shape = shapeOf(what, declared)
  const whole = readWhole(bytes, format, detectEncoding(bytes, format).encoding)
  const { header, rows, remarks } = layOut(whole, (cells) => isHeader(shape, cells))
  const match = matchColumns(shape, header, format)
  const hints = new ColumnHints({ decimal: match.decimal })
  for (const { cells } of rows) hints.add(cells)
  const make = recordMaker(shape, {
    paths: match.paths,
    isForeign: match.source !== undefined,
    several: match.several,
    hints,
  })
  const listed = header.filter((_, at) => match.paths[at] === undefined && !match.known.has(at))
  const kept = rows.filter(({ cells }) => !isDeleted(cells, match.deleted))
  const made = kept.map(({ cells }) => make(cells))
  const faults = kept.flatMap(({ line, fault }, at) => {
    const own = made[at]!.faults.map(({ field, error }) => `${field}: ${error}`)
    return fault !== undefined || own.length > 0 ? [{ line, faults: fault === undefined ? own : [fault] }] : []
  })
  return {
    ...{ match, header: [...header], rows: rows.map(({ cells }) => [...cells]), listed, remarks, faults },
    ...{ records: made.map(({ record }) => record), left: made.flatMap(({ left }) => left.map(({ text }) => text)) },
  }
}

export function readSample(what: string, name: string): Read {
  const bytes = readFileSync(new URL(`../samples/${name}`, import.meta.url))
  return readFile(what, bytes, name.endsWith('.vcf') ? 'vcard' : 'csv')
}
