import { now } from '../session/now.ts'
import { dayMs, endOfDay, startOfDay } from './days.ts'
import { locale } from './locale.ts'
import { labelText } from './texts.ts'

const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const shortDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const localShortDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const localMonths = new Intl.DateTimeFormat(locale, { month: 'short' })
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const shortWeekdays = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' })
const yearMonths = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const months = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
const utcDates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const roundNumbers = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

export function number(value: number): string {
  return numbers.format(value)
}

/** A number without its smallest digits: `1.5K`. */
export function roundNumber(value: number): string {
  return roundNumbers.format(value)
}

/** A share: `60 %` for 0.6. */
export function percent(share: number): string {
  return percents.format(share)
}

/** A number of percent with all its decimals: `12.5%` for 12.5. */
export function exactPercent(value: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 20 }).format(value)
}

export function money(value: number, currency: string): string {
  return moneyFormat(currency, Number.isInteger(value)).format(value)
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

/** Making a format takes longer than drawing the card or the row that shows the amount, so each is made once. */
function moneyFormat(currency: string, isWhole: boolean): Intl.NumberFormat {
  const key = `${currency} ${isWhole}`
  const known = moneyFormats.get(key)
  if (known) return known
  const style = { style: 'currency', currency } as const
  const { maximumFractionDigits: own = 2 } = new Intl.NumberFormat(locale, style).resolvedOptions() // 3 for KWD, 0 for JPY
  const made = new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: isWhole ? 0 : Math.max(2, own) })
  moneyFormats.set(key, made)
  return made
}

/** An amount of money without its smallest digits: `€1,251`, `€1.25M`. */
export function roundMoney(value: number, currency: string): string {
  if (Math.abs(value) < 1e6) return money(Math.round(value), currency)
  const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 2 } as const
  return new Intl.NumberFormat(locale, options).format(value)
}

/** An amount of money; without a valid currency, a number. */
export function amount(value: number, currency: unknown): string {
  return isCurrency(currency) ? money(value, currency) : number(value)
}

function isCurrency(code: unknown): code is string {
  return typeof code === 'string' && /^[a-z]{3}$/i.test(code)
}

/** A number with all its decimals. */
export function exactNumber(value: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value)
}

/** An amount of money with all its decimals; without a valid currency, a number. */
export function exactAmount(value: number, currency: unknown): string {
  if (!isCurrency(currency)) return exactNumber(value)
  const options = { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 20 } as const
  return new Intl.NumberFormat(locale, options).format(value)
}

/** An amount of money, of its digits, with at least the decimals of its currency. */
export function exactMoney(digits: string, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const { minimumFractionDigits = 2 } = format.resolvedOptions()
  const options = { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits: 20 } as const
  return new Intl.NumberFormat(locale, options).format(digits as unknown as number) // exact as text
}

/** `2026-06-15`: a day without a time zone. */
export function day(value: string): string {
  return dates.format(new Date(`${value}T12:00:00`))
}

/** A day with its weekday, and without its year. */
export function dayTitle(date: Date): string {
  return weekdays.format(date)
}

/** A day with its weekday, short. */
export function shortDayTitle(date: Date): string {
  return shortWeekdays.format(date)
}

/** A month with its year. */
export function monthTitle(date: Date): string {
  return yearMonths.format(date)
}

/** A day without its year, in the user's time zone. */
export function shortDay(date: Date): string {
  return localShortDays.format(date)
}

/** A month without its year, in the user's time zone. */
export function shortMonth(date: Date): string {
  return localMonths.format(date)
}

/** The days from `start` until before `end`, in the user's time zone. */
export function dayRange(start: Date, end: Date): string {
  return dates.formatRange(start, startOfDay(end, -1))
}

/** `2026-06-15`, a UTC day, without its year. */
export function utcDayText(day: string): string {
  return shortDays.format(new Date(day))
}

/** The month of a UTC day, without its year. */
export function utcMonthText(day: string): string {
  return months.format(new Date(day))
}

/** A range of UTC days, or one day if both are the same. */
export function utcDaysText(first: string, last: string): string {
  return utcDates.formatRange(new Date(first), new Date(last))
}

/** A moment as date and time. The last moment of a day is shown as the day: a date without a time is stored as that moment. */
export function moment(value: string): string {
  const date = new Date(value)
  return isEndOfDay(date) ? dates.format(date) : times.format(date)
}

/**
 * A relative date, such as `yesterday, 14:30` or `in 3 days`; if more than six days away, the date. From yesterday on, with the time, unless
 * it is the last moment of a day.
 */
export function sinceOrUntil(value: string): string {
  const date = new Date(value)
  const days = Math.round((startOfDay(date).getTime() - startOfDay(now()).getTime()) / dayMs)
  const text = Math.abs(days) <= 6 ? relative.format(days, 'day') : dates.format(date)
  return days < -1 || isEndOfDay(date) ? text : `${text}, ${clocks.format(date)}`
}

const durations = [
  { unit: 'day', ms: dayMs },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** A duration in its largest unit: `12 days`, `5 hours`. The least is one minute. */
export function durationText(ms: number): string {
  const { unit, ms: unitMs } = durations.find((each) => ms >= each.ms) ?? durations[2]
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale, options).format(Math.max(1, Math.floor(ms / unitMs)))
}

/** `1.5 MB`, of 2²⁰ bytes each; what is shorter in kilobytes of 2¹⁰, at least one */
export function sizeText(bytes: number): string {
  const isLong = bytes >= 2 ** 20
  const options = { style: 'unit', unit: isLong ? 'megabyte' : 'kilobyte', maximumFractionDigits: 1 } as const
  const size = isLong ? bytes / 2 ** 20 : Math.max(1, Math.round(bytes / 2 ** 10))
  return new Intl.NumberFormat(locale, options).format(size)
}

/** `12 ms` */
export function millisecondsText(ms: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }).format(ms)
}

export function isEndOfDay(date: Date): boolean {
  return date.getTime() === endOfDay(date).getTime()
}

/** A value of a choice as text: `In progress` for `in_progress`. */
export function word(value: string): string {
  const text = value.replaceAll('_', ' ')
  return labelText(text.charAt(0).toUpperCase() + text.slice(1))
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((each) => each?.charAt(0) ?? '')
    .join('')
    .toUpperCase()
}
