/** Letters without a decomposition that stand for others, in lower case. `ς` is `σ` at the end of a word. */
const separateLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const separate = new RegExp(`[${Object.keys(separateLetters).join('')}]`, 'g')
const marks = /\p{M}+/gu
const beyondAscii = /[^\0-\x7f]/

/** Folds letter case and accents. Lists and searches compare and sort this form (decision C9). */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(marks, '').toLowerCase()
  return plain.replace(separate, (letter) => separateLetters[letter]!)
}

/** Folds letter case only. What ignores case, but not accents, compares this form (decisions C6, E1). */
export function withoutCase(text: string): string {
  return text.toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}

const separators = /[^\p{L}\p{N}]/gu
/** The zero in `+49 (0)89 123`. */
const notDialled = /(?<=\d\D*)\(0\)/
const startsWithPlus = /^[^\p{L}\p{N}]*\+/u

/** The digits of a telephone number, with the `+` of an international one and with letters, such as those of an extension (decision K7). */
export function phoneKey(text: string): string {
  return phonePart(text).replace(/^00/, '+')
}

/** The same for a part of a number, whose zeros mean nothing. Text without digits and letters is only folded. */
export function phonePart(text: string): string {
  const folded = fold(text).replace(notDialled, '')
  const digits = folded.replace(separators, '')
  if (digits === '') return folded
  return startsWithPlus.test(folded) ? `+${digits}` : digits
}

/** The keys with which a telephone number may be stored that is the same as the one with this key (decisions C6, K7). */
export type PhoneForms = (key: string) => readonly string[]

/** Without a country, numbers with the same digits are the same. */
export const sameDigits: PhoneForms = (key) => {
  const digits = key.replace(/^\+/, '')
  return [digits, `+${digits}`]
}

/** The name of a field in messages: `First name` for `first_name`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The maximum length of names, titles and other short text (decision B7). */
export const shortTextMax = 500
/** The most characters of a description (decision B7). */
export const descriptionMax = 100_000

let graphemes: Intl.Segmenter | undefined
/** More than a character that people see has, such as a family of emoji. In UTF-16 units. */
const graphemeMax = 64

/** The beginning of a text, in at most `max` UTF-16 units, without a part of a character. */
export function beginningOf(text: string, max: number): string {
  if (text.length <= max) return text
  graphemes ??= new Intl.Segmenter() // loaded when it is needed first, because that takes time
  const last = graphemes.segment(text.slice(0, max + graphemeMax)).containing(max)!
  return text.slice(0, last.index)
}

/** Whether a text has at most `max` characters; surrogate pairs count as one. */
export function isWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max)
}
