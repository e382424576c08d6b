import { emailKey } from '../../../lib/email.ts'
import { fold, type PhoneForms, phoneKey, phonePart } from '../../../lib/text.ts'
import { parseUuid } from '../../../lib/uuid.ts'
import { piecesOf } from '../list/pieces.ts'
import type { TextForm } from './target.ts'

/** A word that must be in one of the searched texts. */
export interface Word {
  /** Folded. */
  text: string
  /** The same as a part of an email address, whose domain has its ASCII form (decision D12). */
  email: string
  /** The digits of a telephone number, without the zeros and the `+` that it begins with; '' if it is none. */
  digits: string
  /** The keys of the same number, and the digits that all of them end with; undefined if there is one key only (decision K7). */
  phone: { forms: readonly string[]; common: string } | undefined
}

/** A parsed search: plain data that can be sent to any thread. */
export interface SearchQuery {
  /** All words as one text with single spaces, in each form. */
  whole: Record<TextForm, string>
  words: Word[]
  /** The query as an id, if it is one. */
  id: string | undefined
  /** Whether no word is long enough for a piece of the search index. A word of a text must then begin with each of them. */
  short: boolean
}

const digitsMin = 3

/** A telephone number that is written with spaces is one word, and so are digits of which no word can be looked up. */
const spacedNumber = /^(?:[+(0][\d\s()./-]*|\d{1,2}(?:\s\d{1,2})+)$/

/** Reads a query, of which `wordsMax` words are allowed; undefined if it has none or more. */
export function readWords(q: string, wordsMax: number, phones: PhoneForms): SearchQuery | undefined {
  const given = q.trim().replace(/\s+/g, ' ')
  const isNumber = spacedNumber.test(given) && numberIn(given) !== ''
  const parts = isNumber ? [given] : given.split(' ')
  const each = parts.map((part) => wordOf(part, phones)).filter(({ text }) => text !== '')
  const words = [...new Map(each.map((word) => [word.text, word])).values()]
  if (words.length === 0 || words.length > wordsMax) return undefined
  const folded = fold(given).trim()
  const whole = { folded, unfolded: folded, email: emailKey(given), phone: phoneKey(given) }
  return { whole, words, id: parseUuid(given), short: !words.some(isLong) }
}

function wordOf(given: string, phones: PhoneForms): Word {
  const digits = numberIn(given)
  const forms = digits === '' ? [] : phones(phoneKey(given))
  const common = significant(commonEnd(forms))
  const phone = forms.length > 1 && common.length >= digitsMin ? { forms, common } : undefined
  const text = fold(given).trim()
  const email = emailPart(given) ?? text
  const isFindable = piecesOf(email).length > 0 // the ASCII form may be shorter
  return { text, email: isFindable ? email : text, digits, phone }
}

/** A word that is an address or a domain in another script, in the ASCII form of the domain. */
function emailPart(given: string): string | undefined {
  if (!/[^\0-\x7f]/.test(given) || !/[@.]/.test(given)) return undefined
  const key = given.includes('@') ? emailKey(given) : emailKey(`@${given}`).slice(1)
  return /[^\0-\x7f]/.test(key) ? undefined : key
}

function commonEnd(texts: readonly string[]): string {
  let [end = ''] = texts
  while (!texts.every((text) => text.endsWith(end))) end = end.slice(1)
  return end
}

/** A word as a key of this form has it; every key has it that has the word in any notation. */
export function inForm({ text, email, digits, phone }: Word, form: TextForm): string {
  if (form === 'email') return email
  return form === 'phone' && digits !== '' ? (phone?.common ?? digits) : text
}

/** The keys that the query is equal to in this form. */
export function equalTo({ whole, words }: SearchQuery, form: TextForm): readonly string[] {
  return (form === 'phone' && words.length === 1 && words[0]!.phone?.forms) || [whole[form]]
}

/** Whether the search index can find a word at any place. */
export function isLong({ text }: Word): boolean {
  return piecesOf(text).length > 0
}

/** The digits of a telephone number without the zeros of an area or country code: `+49 89 123` contains `089 123`. */
function numberIn(text: string): string {
  const digits = /^[\d\s+()./-]+$/.test(text) ? significant(phonePart(text)) : ''
  return digits.length >= digitsMin ? digits : ''
}

/** The part of a telephone number's key that does not depend on from where it is dialled. */
export function significant(key: string): string {
  return key.replace(/^\+?0*/, '')
}
