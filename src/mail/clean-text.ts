import { beginningOf } from '../lib/text.ts'

/** Control characters, line ends, and characters that reverse the direction of text, which can hide the end of a name. */
const unusable = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** What a text of several lines must not contain. */
const unusableInText = /[\0-\x08\x0b-\x1f\x7f]|\p{Cs}/gu

/** A text of one line. */
export function clean(text: string): string {
  return text
    .replace(/[\t\r\n]+/g, ' ')
    .replace(unusable, '')
    .trim()
}

/** A text of one line with a maximum length; null if nothing is left. */
export function shortText(text: string | undefined, max: number): string | null {
  const cleaned = beginningOf(clean(text ?? ''), max).trim()
  return cleaned === '' ? null : cleaned
}

/** A text of several lines, whose lines end with a line feed. */
export function cleanLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(unusableInText, '')
}
