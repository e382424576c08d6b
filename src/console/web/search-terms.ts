import { resourceOf } from './session.ts'
import type { Row } from './views.ts'

/** A text, and the fields in any of which each of its words may be. */
export interface Sought {
  text: string
  fields: readonly string[]
}

/** Parameters of one request. */
export type Condition = Record<string, string>

interface Term {
  text: string
  folded: string
  /** Of a telephone number, without what differs between its forms; '' where the term is none. */
  digits: string
}

const digitsMin = 3
const phone = 'phone'

/** The requests that find what a text may mean: for the text as it is typed, and for its other accents. */
export function conditionsFor(of: string, sought: Sought): { asTyped: Condition[]; loose: Condition[] } {
  const lead = longestOf(termsOf(sought))
  const patterns = loosePatterns(lead.folded).filter((pattern) => pattern !== lead.text.toLowerCase())
  const plain = sought.fields.filter((field) => !isItem(of, field))
  return {
    asTyped: sought.fields.map((field) => like(field, isNumber(field, lead) ? [...lead.digits].join('%') : lead.text)),
    loose: plain.flatMap((field) => patterns.map((pattern) => like(field, pattern))),
  }
}

/** Matches records that contain every word of the text in one of the fields. Ignores accents and letter case. */
export function matcherFor(of: string, sought: Sought): (row: Row) => boolean {
  const terms = termsOf(sought)
  return (row) => {
    const texts = sought.fields.flatMap((field) => textsOf(of, row, field).map((text) => ({ field, text })))
    return terms.every((term) =>
      texts.some(
        ({ field, text }) =>
          fold(text).includes(term.folded) || (isNumber(field, term) && digitsOf(text).includes(term.digits)),
      ),
    )
  }
}

/** What a record must come with to be compared. */
export function includesFor(of: string, { fields }: Sought, include: string | number | undefined): string {
  const items = fields.flatMap((field) => collectionOf(of, field)?.[0] ?? [])
  return [...new Set([...String(include ?? '').split(','), ...items])].filter(Boolean).join()
}

function like(field: string, text: string): Condition {
  return { [`${field}[like]`]: text }
}

/** Words; the parts of a telephone number are one. */
function termsOf({ text, fields }: Sought): Term[] {
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

/** Without the zeros that stand for an area or another country: `089 123` is in `+49 89 123`. */
function numberIn(text: string): string {
  const digits = /^[\d\s+()./-]+$/.test(text) ? digitsOf(text) : ''
  return digits.length >= digitsMin ? digits.replace(/^0+/, '') : ''
}

/** `+49 (0)89 123` has a zero that is not dialled. */
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

/** Without letter case and accents (decision C9). */
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
 * Patterns with wildcards for the letters that may have accents: for all of them, or where too few others are left, for the vowels,
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

/** An item's field is filtered by the name of the item: `email` of `emails`. */
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
