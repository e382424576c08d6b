import type { Reader } from '../../../store/reader.ts'
import type { Condition } from '../../records/definition/filter.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { allPieces, piecesOf } from './pieces.ts'
import { countPending, lacksStarts, markOf } from './search.ts'

// Looks up texts in the search index.

/** The maximum number of pieces of a pattern that are looked up. */
const lookedUpMax = 5
const sampledMax = 500
const samplesMax = 200

/** What the search index can look up: plain data that can be sent to any thread. */
export interface Search {
  /** The name of the resource. */
  name: string
  /** A record is found that has one pattern of each. */
  each: Pattern[][]
  /** The same with a choice of all pieces, which excludes more records and takes longer. */
  closer?: Pattern[][]
  /** Whether it looks up beginnings of words, which are missing for a while after an upgrade. */
  starts?: boolean
  /** Selects the ids of other records that may match. */
  selects?: Condition[]
}

/** A pattern in the texts of a field. */
export interface Pattern {
  mark: string
  pieces: string[]
  /** Selects texts of the field, to find out which pieces are rare. */
  sample: string
}

/** The search for the folded parts of a pattern; undefined if they are too short. `sample` selects texts of the field. */
export function searchFor(
  resource: Resource,
  field: string,
  parts: readonly string[],
  sample: string,
): Search | undefined {
  const mark = markOf(resource, field)
  const few = [...new Set(parts.flatMap((part) => piecesOf(part)))]
  if (few.length === 0) return undefined
  const all = [...new Set([...few, ...parts.flatMap((part) => piecesOf(part, 1))])]
  const patterns = (pieces: string[]) => [[{ mark, pieces, sample }]]
  return { name: resource.name, each: patterns(few), ...(all.length > few.length && { closer: patterns(all) }) }
}

/**
 * Finds the ids of records that may match, up to `idsMax`: those that are pending, and then those whose text was indexed last. Undefined
 * if the index does not have what is looked up of all records.
 */
export function lookUp(search: Search, reader: Reader, idsMax: number): string[] | undefined {
  const { name, each, starts, selects = [] } = search
  if (starts && lacksStarts(reader, name)) return undefined
  const expressions = each.map((patterns) =>
    patterns.map((pattern) => `(${expressionOf(pattern, reader)})`).join(' OR '),
  )
  const expression = expressions.map((any) => `(${any})`).join(' AND ')
  const others = selects.map(({ sql }) => `${sql} UNION ALL `).join('')
  const sql = `${others}SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ?
    UNION ALL SELECT id FROM (SELECT id FROM search WHERE search MATCH replace(?, '~', CAST(:workspace AS INTEGER))
      ORDER BY rowid DESC LIMIT ?) LIMIT ?`
  return reader.values<string>(sql, ...selects.flatMap(({ params }) => params), name, expression, idsMax, idsMax)
}

/** Whether so many records wait for the index that a lookup leaves out some of them. */
export function isBehind(reader: Reader, name: string, idsMax: number): boolean {
  return countPending(reader, name, idsMax) === idsMax
}

/** What the index looks up to find the texts of a field that have these pieces. */
function expressionOf(pattern: Pattern, reader: Reader): string {
  return rarest(pattern, reader)
    .map((piece) => `"~${pattern.mark}${piece}"`)
    .join(' AND ')
}

/** The frequency of pieces in a sample of a field's texts, by workspace and field. */
const samples = new Map<string, Map<string, number>>()

/** The rarest pieces: a lookup takes time proportional to the frequency, and a few rare pieces exclude nearly as many records as all. */
function rarest({ mark, pieces, sample }: Pattern, reader: Reader): string[] {
  if (pieces.length <= lookedUpMax) return pieces
  const key = `${reader.value<number>('SELECT :workspace')}${mark}`
  let counts = samples.get(key)
  if (!counts) {
    if (samples.size >= samplesMax) samples.clear()
    counts = countPieces(reader.values<string | null>(`${sample} LIMIT ${sampledMax}`))
    samples.set(key, counts)
  }
  const often = (piece: string) => counts.get(piece) ?? 0
  return pieces.toSorted((a, b) => often(a) - often(b)).slice(0, lookedUpMax)
}

function countPieces(texts: (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const piece of texts.flatMap((text) => allPieces(text ?? ''))) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1)
  }
  return counts
}
