import { isValid } from 'date-fns/isValid'
import { parseISO } from 'date-fns/parseISO'
import { dayMs } from './clock.ts'

const monthDay =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])'
const leapYear = '[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00'
/** A regular expression for a date of the calendar, without anchors. */
export const dayForm = `(?:[0-9]{4}-(?:${monthDay})|(?:${leapYear})-02-29)`
const offset = '[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?'

/** A regular expression that matches timestamps and dates of the calendar (decision B10). */
export const momentForm = `^${formWith('[.,]')}$`
/** The same for one of several that commas separate, without anchors. */
export const listedMomentForm = formWith('(?:\\.|\\\\,)')

/** `point`: between a second and its decimals. */
function formWith(point: string): string {
  const minute = `(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:${point}[0-9]{1,9})?)?`
  const midnight = `24:00(?::00(?:${point}0{1,9})?)?`
  return `${dayForm}(?:[Tt](?:${minute}|${midnight})(${offset})?)?`
}

const datePattern = new RegExp(`^${dayForm}$`)
const momentPattern = new RegExp(momentForm)

/** A span of time in milliseconds: one moment, or a whole UTC day. */
interface Span {
  start: number
  /** The first millisecond after it. */
  end: number
}

/**
 * Parses a timestamp (UTC if it has no offset) or a date (the complete UTC day) (decision B10). Undefined if it is neither, does not
 * exist in the calendar, or is outside the years 0 to 9999 in UTC.
 */
export function parseSpan(text: string): Span | undefined {
  const match = momentPattern.exec(text)
  if (!match) return undefined
  if (datePattern.test(text)) {
    const start = read(`${text}T00:00:00Z`)
    return start === undefined ? undefined : { start, end: start + dayMs }
  }
  const start = read(match[1] ? text.toUpperCase() : `${text.toUpperCase()}Z`)
  return start === undefined ? undefined : { start, end: start + 1 }
}

/** A date `YYYY-MM-DD`; undefined if it does not exist in the calendar. */
export function parseDate(text: string): string | undefined {
  return datePattern.test(text) ? text : undefined
}

/** Digits below a millisecond, which would be rounded: the last nanosecond of a day is in that day. */
const belowMs = /(?<=[.,]\d{3})\d+/

function read(text: string): number | undefined {
  const date = parseISO(text.replace(belowMs, ''))
  return isValid(date) && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999 ? date.getTime() : undefined
}
