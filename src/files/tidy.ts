import { fold } from '../lib/text.ts'

const invisible = /[\s\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/
const placeholderCharactersMax = 20
const placeholder =
  /^(?:https?:\/\/)?(?:www\.)?(?:#?n ?\/? ?a|n\.a\.|#nv|none|null|nil|nan|undefined|unknown|not available|not applicable|keine?|keine angabe|k\.? ?a\.?|unbekannt|nicht vorhanden|[-‐‑–—−?./_]+)?$/

/** A cell without what cannot be seen at its ends. */
export function tidy(cell: string): string {
  let begin = 0
  let end = cell.length
  while (begin < end && invisible.test(cell[begin]!)) begin++
  while (end > begin && invisible.test(cell[end - 1]!)) end--
  return cell.slice(begin, end)
}

/** A cell without anything that cannot be seen, with plain spaces. For addresses and numbers, where it never means anything. */
export function plain(cell: string): string {
  return cell
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
}

/** What spreadsheets write, in English and German, into a cell that they could not calculate. */
const spreadsheetError = /^#(?:ref!|name\?|value!|div\/0!|null!|num!|n\/a|nv|bezug!|wert!|zahl!)$/i

/** Whether a spreadsheet has written this instead of a value. */
export function isSpreadsheetError(text: string): boolean {
  return spreadsheetError.test(text)
}

/** Whether people write this where there is nothing to write, in any column: `n/a`, `-`, `http://`. */
export function isPlaceholder(text: string): boolean {
  return text.length <= placeholderCharactersMax && placeholder.test(fold(text))
}

/** The same where a single letter is no value either: in numbers, dates, addresses and telephone numbers. */
export function isNoValue(text: string): boolean {
  return isPlaceholder(text) || /^x$/i.test(text)
}

/** Whether a spreadsheet has written this instead of a number with more digits: `1.23457E+11`. */
export function isRounded(text: string): boolean {
  return /^\d(?:[.,]\d+)?e\+\d+$/i.test(text)
}
