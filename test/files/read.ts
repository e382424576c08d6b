import { readFileSync } from 'node:fs'
import { describeResource } from '../../src/console/description.ts'
import { importedByPath } from '../../src/features/imports/imported.ts'
import { CsvReader } from '../../src/files/csv.ts'
import { type Match, matchColumns } from '../../src/files/match.ts'
import type { DeclaredField, FileRecord, Shape } from '../../src/files/shape.ts'
import { FileDecoder } from '../../src/files/text-decoder.ts'
import { isDeleted, recordMaker } from '../../src/files/to-record.ts'
import { VCardReader } from '../../src/files/vcard.ts'

/** Decodes bytes in chunks of this size. */
export function decode(bytes: Uint8Array, size = bytes.length || 1): string {
  const decoder = new FileDecoder()
  let text = ''
  for (let at = 0; at < bytes.length; at += size) text += decoder.push(bytes.subarray(at, at + size))
  return text + decoder.end()
}

/** Reads the rows of a CSV text in chunks of this size. */
export function readCells(text: string, size = text.length || 1): string[][] {
  const reader = new CsvReader()
  const rows: string[][] = []
  for (let at = 0; at < text.length; at += size)
    rows.push(...reader.push(text.slice(at, at + size)).map(({ cells }) => cells))
  return [...rows, ...reader.end().map(({ cells }) => cells)]
}

export function readCards(text: string, size = text.length || 1): Record<string, string>[] {
  const reader = new VCardReader()
  const cards = []
  for (let at = 0; at < text.length; at += size) cards.push(...reader.push(text.slice(at, at + size)))
  return [...cards, ...reader.end()].map(({ cells }) => Object.fromEntries(cells))
}

export interface Read {
  match: Match
  header: string[]
  rows: string[][]
  /** The columns that are neither imported nor known. */
  listed: string[]
  records: FileRecord[]
}

export function shapeOf(what: string, declared: DeclaredField[] = []): Shape {
  return { ...describeResource(importedByPath[what]!), declared }
}

/** What an import makes of the text of a file. */
export function readFile(
  what: string,
  text: string,
  format: 'csv' | 'vcard' = 'csv',
  declared?: DeclaredField[],
): Read {
  const shape = shapeOf(what, declared)
  const [header = [], ...rows] = format === 'csv' ? readCells(text) : tableOf(readCards(text))
  const match = matchColumns(shape, header, format)
  const make = recordMaker(shape, match.paths, match.source !== undefined)
  const listed = header.filter((_, at) => match.paths[at] === undefined && !match.known.has(at))
  const records = rows.filter((cells) => !isDeleted(cells, match.deleted)).map(make)
  return { match, header, rows, listed, records }
}

export function readSample(what: string, name: string): Read {
  const text = decode(readFileSync(new URL(`../samples/${name}`, import.meta.url)))
  return readFile(what, text, name.endsWith('.vcf') ? 'vcard' : 'csv')
}

function tableOf(cards: Record<string, string>[]): string[][] {
  const header = [...new Set(cards.flatMap((card) => Object.keys(card)))]
  return [header, ...cards.map((card) => header.map((name) => card[name] ?? ''))]
}
