import { fold } from '../../../lib/text.ts'
import { placeOfStart } from '../../../lib/word-starts.ts'
import type { SearchTarget, TargetField } from './target.ts'
import { equalTo, inForm, type SearchQuery, significant, type Word } from './words.ts'

/** From the best to the last (decision J1). */
export const ranks = { exact: 0, name: 1, word: 2, inside: 3 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

/** A text of a record. */
interface Value {
  field: TargetField
  text: string
  key: string
}

/** A record that has every word. */
export interface Match {
  id: string
  updated_at: string
  rank: Rank
  matched: { field: string; text: string }[]
}

/** A record's row: each column of a field, or the JSON of its items' columns. */
export type FoundRow = { id: string; updated_at: string } & Record<string, string | null>

const matchedMax = 10

/** How a record matches; undefined: it does not. */
export function rankOf(row: FoundRow, { fields }: SearchTarget, query: SearchQuery): Match | undefined {
  const { id, updated_at } = row
  const values = fields.flatMap((field, at) => valuesOf(field, row[`text${at}`], row[`key${at}`]))
  const places = query.words.map((word) => values.map((value) => placeIn(value, word, query.short)))
  const best = places.map((each) => Math.min(...each) as Rank)
  const exact = values.filter((value) => isExact(value, query))
  const has = id === query.id || exact.length > 0
  const named = beginsName(values, query)
  if (!has && best.some((rank) => rank > ranks.inside)) return undefined
  const shown = values.filter((value, at) => exact.includes(value) || places.some((each) => each[at]! <= ranks.inside))
  const matched = shown.slice(0, matchedMax).map(({ field, text }) => ({ field: field.name, text }))
  if (id === query.id) return { id, updated_at, rank: ranks.exact, matched: [{ field: 'id', text: id }, ...matched] }
  const rank = has ? ranks.exact : named ? ranks.name : (Math.max(...best) as Rank)
  return { id, updated_at, rank, matched }

  function valuesOf(field: TargetField, text: string | null | undefined, key: string | null | undefined): Value[] {
    if (!text) return []
    if (!field.items) return [{ field, text, key: field.form === 'unfolded' ? fold(text) : key! }]
    const items = JSON.parse(text) as [string, string][]
    return items.map(([text, key]) => ({ field, text, key: field.options?.[Number(key)] ?? key }))
  }
}

/** Orders matches: the better rank first, then the latest change, then the newest. */
export function compareMatches(a: Match, b: Match): number {
  return a.rank - b.rank || compare(b.updated_at, a.updated_at) || compare(b.id, a.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isExact({ field, key }: Value, query: SearchQuery): boolean {
  if (!field.isExact) return false
  const { digits, phone } = query.words[0]!
  const isNumber = field.form === 'phone' && query.words.length === 1 && digits !== ''
  return equalTo(query, field.form).includes(key) || (isNumber && !phone && significant(key) === digits)
}

/** Whether the names, one after the other, begin with the whole query. */
function beginsName(values: readonly Value[], { whole }: SearchQuery): boolean {
  const names = values.filter(({ field }) => field.isName).map(({ key }) => key)
  return names.join(' ').startsWith(whole.folded)
}

const nowhere = 4

/** Where a word is in a text, as the rank that it has there. */
function placeIn({ field, key }: Value, word: Word, short: boolean): number {
  if (field.form === 'phone' && word.phone) return placeOfNumber(key, word)
  const text = inForm(word, field.form)
  if (key.startsWith(text)) return field.isName ? ranks.name : ranks.word
  const place = placeInText(key, text)
  return short && place > ranks.word ? nowhere : place
}

/** A number is anywhere as it is written, and at the beginning in its other notations. */
function placeOfNumber(key: string, { digits, phone }: Word): number {
  return phone!.forms.some((form) => key.startsWith(form)) ? ranks.word : placeInText(key, digits)
}

function placeInText(text: string, word: string): number {
  if (placeOfStart(text, word) !== -1) return ranks.word
  return text.includes(word) ? ranks.inside : nowhere
}
