import { isValid } from 'date-fns/isValid'
import { parseISO } from 'date-fns/parseISO'
import { dayMs } from './clock.ts'

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timestampPattern =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i

/** A span of time in milliseconds: one moment, or a whole UTC day. */
export interface Span {
  start: number
  /** First millisecond that no longer belongs to it. */
  end: number
}

/** Reads a timestamp (without an offset: UTC) or a date (the whole UTC day) (decision B10). Undefined for what is neither, or not in the calendar. */
export function parseSpan(text: string): Span | undefined {
  if (datePattern.test(text)) {
    const start = read(`${text}T00:00:00Z`)
    return start === undefined ? undefined : { start, end: start + dayMs }
  }
  const match = timestampPattern.exec(text)
  if (!match) return undefined
  const start = read(match[1] ? text.toUpperCase() : `${text}Z`)
  return start === undefined ? undefined : { start, end: start + 1 }
}

/** A date `YYYY-MM-DD` that is in the calendar, or undefined. */
export function parseDate(text: string): string | undefined {
  return datePattern.test(text) && parseSpan(text) ? text : undefined
}

function read(text: string): number | undefined {
  const date = parseISO(text)
  return isValid(date) && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999 ? date.getTime() : undefined
}
