import { fold, shortTextMax } from '../../../lib/text.ts'
import { placeOfStart } from '../../../lib/word-starts.ts'
import type { Reader } from '../../../store/reader.ts'
import { storedCount, undeleted } from '../../records/select.ts'
import { foldedBytesMax, longBytes } from '../list/list-cost.ts'
import { isBehind } from '../list/lookup.ts'
import type { Reading } from '../reading.ts'
import { candidatesFor, identifiedBy, namesFor } from './candidates.ts'
import { compareMatches, type Match, ranks } from './rank.ts'
import type { SearchTarget } from './target.ts'
import { all, anywhere, inNames, matchesAmong, matchesByChange } from './walk.ts'
import type { SearchQuery } from './words.ts'

/** A validated search: plain data that any thread can run. */
interface Search {
  query: SearchQuery
  targets: SearchTarget[]
  limit: number
}

export interface SearchResult {
  type: string
  id: string
  title: string
  subtitle: string | null
  matched: { field: string; text: string }[]
}

/** Up to this many records of a resource that may match, all are ranked at once: reading one takes some 10 µs. */
const fewMax = 1_000
/** Up to this many, all are ranked if too few names match; of more, those whose text changed last. */
const gatheredMax = 2_000
/** While the index is behind, records are read in the order of their changes, up to this many matches. */
const rankedMax = 5_000

/** The best matches of all targets (decision J1). */
export const searchReading: Reading<Search, SearchResult[]> = {
  name: 'search',
  isQuick: (reader, { targets }) => isQuickSearch(reader, targets),
  advice: () => 'give more or longer words, or fewer types',
  run: (reader, search, proceed) => findMatches(reader, search, proceed ? 'AND alive()' : ''),
}

function findMatches(reader: Reader, { query, targets, limit }: Search, also: string): SearchResult[] {
  return targets
    .filter(({ table }) => reader.value(`SELECT 1 FROM ${table} WHERE workspace_id = :workspace LIMIT 1`) === 1)
    .flatMap((target) => best(matchesOf(reader, target, query, limit, also), limit).map((match) => ({ target, match })))
    .sort((a, b) => compareMatches(a.match, b.match))
    .slice(0, limit)
    .map(({ target, match }) => resultOf(reader, target, match, query))
}

function matchesOf(reader: Reader, target: SearchTarget, query: SearchQuery, limit: number, also: string): Match[] {
  const identified = matchesAmong(reader, target, query, identifiedBy(reader, target, query, gatheredMax), all, also)
  const candidates = candidatesFor(reader, target, query, gatheredMax)
  const gather = () => [
    ...identified,
    ...matchesAmong(reader, target, query, candidates ?? [], anywhere(target, query), also),
  ]
  if (candidates && candidates.length < fewMax) return gather()
  const first = [...identified, ...namedMatches(reader, target, query, limit, also)]
  if (best(first, limit).length === limit) return first
  if (candidates && candidates.length < gatheredMax) return gather()
  const others =
    !candidates || isBehind(reader, target.name, gatheredMax)
      ? matchesByChange(reader, target, query, anywhere(target, query), also)
      : matchesAmong(reader, target, query, candidates, anywhere(target, query), also)
  return [...first, ...enough(others, limit)]
}

/** The matches whose names begin with the query or its words: all, or `limit` of them, the latest changes first. */
function namedMatches(reader: Reader, target: SearchTarget, query: SearchQuery, limit: number, also: string): Match[] {
  const isNamed = ({ rank }: Match) => rank <= ranks.name
  const amongFew = (ids: readonly string[]) => [...matchesAmong(reader, target, query, ids, all, also)].filter(isNamed)
  const beginning = namesFor(reader, target, query, fewMax)
  if (beginning.length < fewMax) return amongFew(beginning)
  const ofNames = candidatesFor(
    reader,
    { ...target, fields: target.fields.filter(({ isName }) => isName) },
    query,
    fewMax,
  )
  if (ofNames && ofNames.length < fewMax) return amongFew(ofNames)
  const named: Match[] = []
  for (const match of matchesByChange(reader, target, query, inNames(target, query), also)) {
    if (isNamed(match)) named.push(match)
    if (named.length === limit) break
  }
  return named
}

/** Matches, until `limit` of them have each word at the beginning of a word. */
function enough(matches: Iterable<Match>, limit: number): Match[] {
  const taken: Match[] = []
  let better = 0
  for (const match of matches) {
    taken.push(match)
    if (match.rank <= ranks.word) better++
    if (better === limit || taken.length === rankedMax) break
  }
  return taken
}

/** The best of some matches, which may contain a record twice. */
function best(matches: readonly Match[], limit: number): Match[] {
  const each = new Map(matches.map((match) => [match.id, match]))
  return [...each.values()].sort(compareMatches).slice(0, limit)
}

function resultOf(reader: Reader, target: SearchTarget, { id, matched }: Match, query: SearchQuery): SearchResult {
  const sql = `SELECT ${target.title} AS title, ${target.subtitle} AS subtitle FROM ${target.table} WHERE ${undeleted} AND id = ?`
  const { title, subtitle } = reader.row<Pick<SearchResult, 'title' | 'subtitle'>>(sql, id)!
  const shown = matched.map(({ field, text }) => ({ field, text: excerptOf(text, query) }))
  return { type: target.name, id, title, subtitle, matched: shown }
}

/** A search that reads at most so many records, and folds few bytes, takes less than 20 ms. */
const quickRecordsMax = 1_000
/** What reading the value of a declared field takes, compared with a record. */
const declaredCost = 0.2

/** Whether the event loop may run a search, because it is short even if every record may match. */
function isQuickSearch(reader: Reader, targets: readonly SearchTarget[]): boolean {
  const records = targets.reduce((sum, target) => sum + storedCount(target.name, reader) * costOf(target), 0)
  if (records > quickRecordsMax) return false
  const bytes = targets.map(({ table, fields }) => {
    const long = fields.filter(({ form }) => form === 'unfolded').map(({ column }) => column)
    return longBytes(reader, table, long)
  })
  return bytes.reduce((sum, each) => sum + each, 0) <= foldedBytesMax
}

function costOf({ fields }: SearchTarget): number {
  return 1 + declaredCost * fields.filter(({ items }) => items?.also !== '').length
}

/** The length of an excerpt in UTF-16 units, without ellipses, and how much of it precedes the word. */
const excerptLength = 200
const leadLength = 60

/** A text, or the part of a long one around the first of the words. */
function excerptOf(text: string, { words, short }: SearchQuery): string {
  if (text.length <= shortTextMax) return text
  const folded = fold(text)
  const placeOf = (word: string) => (short ? placeOfStart(folded, word) : folded.indexOf(word))
  const places = words.map((word) => placeOf(word.text)).filter((place) => place !== -1)
  const from = Math.max(0, originalPlace(text, Math.min(...places, folded.length)) - leadLength)
  const part = text
    .slice(from, from + excerptLength)
    .toWellFormed()
    .replaceAll('\ufffd', '')
  return `${from > 0 ? '…' : ''}${part}${from + excerptLength < text.length ? '…' : ''}`
}

/** The place in a text of a place in its folded form, which may be longer or shorter. */
function originalPlace(text: string, place: number): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fold(text.slice(0, middle)).length <= place) low = middle
    else high = middle - 1
  }
  return low
}
