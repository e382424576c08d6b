import { fold } from '../lib/text.ts'

/** The order of day and month between slashes. */
export type DayOrder = 'dmy' | 'mdy'

/** A day with or without a time, as it was written. */
export interface Moment {
  /** `2026-12-31` */
  readonly day: string
  /** `23:11:00`, `23:59:59.999` */
  readonly time?: string
  /** `Z`, `+01:00`; undefined: none was written. */
  readonly offset?: string
}

const charactersMax = 100
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const otherNames: Readonly<Record<string, string>> = { mai: 'may', okt: 'oct', dez: 'dec', mrz: 'mar', mae: 'mar' }
/** Two digits of a year up to this one are in this century. */
const shortYearMax = 69

const weekday = /^(?:mo|di|mi|do|fr|sa|so|tu|we|th|su)\p{L}{0,8}\.?,?\s{1,3}/iu
const yearFirst = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d\d)(\d\d))(?!\d)(.*)$/s
const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)(?!\d)(.*)$/s
const slashed = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)(?!\d)(.*)$/s
const dayThenMonth = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]{1,3}(\p{L}{3,9})\.?,?[\s-]{1,3}(\d{4}|\d\d)(?!\d)(.*)$/su
const monthThenDay = /^(\p{L}{3,9})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})(?!\d)(.*)$/su
const clock =
  /^(?:T|,?\s{1,3}(?:at\s|um\s|-\s)?)(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,9}))?)?\s?(uhr|[ap]\.?m\.?)?\s?(z|utc|gmt|(?:gmt|utc)?[+-]\d\d(?::?\d\d)?)?(?:\s\([^()]*\))?$/i

/** Whether a day between slashes says in which order its column is. */
export function orderIn(cell: string): DayOrder | undefined {
  const [, first, , second] = slashed.exec(cell.slice(0, charactersMax)) ?? []
  if (Number(first) > 12) return 'dmy'
  return Number(second) > 12 ? 'mdy' : undefined
}

/** A date as programs and people write it; undefined: it is none; 'ambiguous': it may be two days. */
export function momentIn(cell: string, order: DayOrder | undefined): Moment | 'ambiguous' | undefined {
  if (cell.length > charactersMax) return undefined
  const text = cell.replace(weekday, '')
  const parts = partsIn(text, orderIn(text) ?? order)
  if (parts === 'ambiguous' || !parts) return parts
  const day = dayOf(parts)
  const time = parts.rest.trim() === '' ? {} : timeIn(parts.rest)
  return day && time ? { day, ...time } : undefined
}

interface Parts {
  year: string
  month: number
  day: string
  rest: string
}

function partsIn(text: string, order: DayOrder | undefined): Parts | 'ambiguous' | undefined {
  const iso = yearFirst.exec(text)
  if (iso) return { year: iso[1]!, month: Number(iso[3] ?? iso[5]), day: (iso[4] ?? iso[6])!, rest: iso[7]! }
  const german = dotted.exec(text)
  if (german) return { year: german[3]!, month: Number(german[2]), day: german[1]!, rest: german[4]! }
  const [, first, , second, year, rest] = slashed.exec(text) ?? []
  if (first) {
    if (!order && Number(first) !== Number(second)) return 'ambiguous'
    const [day, month] = order === 'mdy' ? [second, first] : [first, second]
    return { year: year!, month: Number(month), day: day!, rest: rest! }
  }
  const named = dayThenMonth.exec(text)
  if (named) return { year: named[3]!, month: monthNamed(named[2]!), day: named[1]!, rest: named[4]! }
  const american = monthThenDay.exec(text)
  return american
    ? { year: american[3]!, month: monthNamed(american[1]!), day: american[2]!, rest: american[4]! }
    : undefined
}

/** The number of a month in English or German; 0: there is none. */
function monthNamed(name: string): number {
  const begin = fold(name).slice(0, 3)
  return months.indexOf(otherNames[begin] ?? begin) + 1
}

function dayOf({ year, month, day }: Parts): string | undefined {
  const whole = year.length === 4 ? Number(year) : Number(year) + (Number(year) > shortYearMax ? 1900 : 2000)
  const date = new Date(Date.UTC(whole, month - 1, Number(day)))
  date.setUTCFullYear(whole)
  const isReal = month > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day) && whole > 0
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

function timeIn(text: string): Pick<Moment, 'time' | 'offset'> | undefined {
  const [, hourText, minute, second = '00', fraction, half = '', zone] = clock.exec(text) ?? []
  if (hourText === undefined) return undefined
  const isHalf = /^[ap]/i.test(half)
  const hour = isHalf ? (Number(hourText) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hourText)
  if (
    hour > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59 ||
    (isHalf && (Number(hourText) > 12 || hourText === '0'))
  )
    return undefined
  const time = `${String(hour).padStart(2, '0')}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`
  return zone === undefined ? { time } : { time, offset: offsetOf(zone) }
}

function offsetOf(zone: string): string {
  const [, sign, hours, minutes = '00'] = /([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return sign ? `${sign}${hours}:${minutes}` : 'Z'
}
