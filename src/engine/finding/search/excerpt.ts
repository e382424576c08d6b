import { fold, shortTextMax } from '../../../lib/text.ts'
import type { Word } from './words.ts'

/** The length of an excerpt in UTF-16 units, without ellipses, and how much of it precedes the word. */
const excerptLength = 200
const leadLength = 60

/** A text, or the part of a long one around the first of the words. */
export function excerptOf(text: string, words: readonly Word[]): string {
  if (text.length <= shortTextMax) return text
  const folded = fold(text)
  const places = words.map((word) => folded.indexOf(word.text)).filter((place) => place !== -1)
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
