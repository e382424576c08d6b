import { resourceOf } from './session.ts'
import type { Row } from './views.ts'

/** A text to search for. Each of its words must be in one of the fields. */
export interface SearchText {
  text: string
  fields: readonly string[]
}

/** Parameters of one request. */
export type Condition = Record<string, string>

interface Term {
  text: string
  folded: string
  /** The digits of a telephone number, without prefixes that vary; '' if the term is not one. */
  digits: string
}

const digitsMin = 3
const phone = 'phone'

/** The requests that find a text: as typed, and with other accents. */
export function conditionsFor(of: string, searchText: SearchText): { asTyped: Condition[]; loose: Condition[] } {
  const lead = longestOf(termsOf(searchText))
  const patterns = loosePatterns(lead.folded).filter((pattern) => pattern !== lead.text.toLowerCase())
  const plain = searchText.fields.filter((field) => !isItem(of, field))
  return {
    asTyped: searchText.fields.map((field) =>
      like(field, isNumber(field, lead) ? [...lead.digits].join('%') : lead.text),
    ),
    loose: plain.flatMap((field) => patterns.map((pattern) => like(field, pattern))),
  }
}

/** Matches records that contain every word of the text in one of the fields, case- and accent-insensitively. */
export function matcherFor(of: string, searchText: SearchText): (row: Row) => boolean {
  const terms = termsOf(searchText)
  return (row) => {
    const texts = searchText.fields.flatMap((field) => textsOf(of, row, field).map((text) => ({ field, text })))
    return terms.every((term) =>
      texts.some(
        ({ field, text }) =>
          fold(text).includes(term.folded) || (isNumber(field, term) && digitsOf(text).includes(term.digits)),
      ),
    )
  }
}

/** The value of `include` with which a record has every searched field. */
export function includesFor(of: string, { fields }: SearchText, include: string | number | undefined): string {
  const items = fields.flatMap((field) => collectionOf(of, field)?.[0] ?? [])
  return [...new Set([...String(include ?? '').split(','), ...items])].filter(Boolean).join()
}

function like(field: string, text: string): Condition {
  return { [`${field}[like]`]: text }
}

/** The words of a text. A telephone number with spaces is one word. */
function termsOf({ text, fields }: SearchText): Term[] {
  const parts = fields.includes(phone) ? /[+(]?\d[\d\s()./-]*(?=\s|$)|\S+/g : /\S+/g
  const words = (text.match(parts) ?? []).map((part) => part.trim().replace(/^[,;]+|[,;]+$/g, '')) // `Weber, Ada`
  const kept = words.filter((word) => word !== '')
  return (kept.length > 0 ? kept : [text]).map((word) => ({ text: word, folded: fold(word), digits: numberIn(word) }))
}

function longestOf(terms: Term[]): Term {
  return terms.reduce((longest, term) => (term.folded.length > longest.folded.length ? term : longest))
}

function isNumber(field: string, { digits }: Term): boolean {
  return field === phone && digits !== ''
}

/** The digits of a telephone number without the leading zeros of an area or country code: `+49 89 123` contains `089 123`. */
function numberIn(text: string): string {
  const digits = /^[\d\s+()./-]+$/.test(text) ? digitsOf(text) : ''
  return digits.length >= digitsMin ? digits.replace(/^0+/, '') : ''
}

/** The digits of a text. The zero in `+49 (0)89 123` is not dialled, so it is left out. */
function digitsOf(text: string): string {
  return text.replace('(0)', '').replace(/\D/g, '')
}

const separateLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Folds a text for case- and accent-insensitive comparison (decision C9). */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[ßæœøłđðþı]/g, (letter) => separateLetters[letter]!)
}

/** Letters that often have an accent. */
const vowels = /[aeiouy]+/g
const consonants = /[cdlnrsz]+/g
const both = /[aeiouycdlnrsz]+/g
const plainMin = 2

/**
 * Patterns with wildcards for the letters that may have accents: for all of them, or if too few others are left, for the vowels,
 * for the consonants, and for all between the first and the last letter.
 */
function loosePatterns(folded: string): string[] {
  const all = folded.replace(both, '%')
  if (plainLength(all) >= plainMin) return [all]
  const ends = folded.replace(/^(.).{2,}(.)$/u, '$1%$2')
  return [folded.replace(vowels, '%'), folded.replace(consonants, '%'), ends].filter((each) => plainLength(each) > 0)
}

function plainLength(pattern: string): number {
  return pattern.replaceAll('%', '').length
}

function isItem(of: string, field: string): boolean {
  return resourceOf(of).itemFilters.includes(field)
}

type Collection = ReturnType<typeof resourceOf>['collections'][string]

/** A filter on the items of a collection has the item's name: `email` of `emails`. */
function collectionOf(of: string, field: string): [name: string, collection: Collection] | undefined {
  return isItem(of, field)
    ? Object.entries(resourceOf(of).collections).find(([name]) => name.startsWith(field))
    : undefined
}

function textsOf(of: string, row: Row, field: string): string[] {
  const collection = collectionOf(of, field)?.[1]
  if (!collection) return typeof row[field] === 'string' ? [row[field]] : []
  return (row[collection.as] ?? []).map((item: Row) => item[collection.fields[0]!.name])
}
