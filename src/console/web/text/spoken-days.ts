import { fold } from '../../../lib/text.ts'
import { endOfDay, parseLocal, startOfDay } from './days.ts'

const weekdays = [
  ...[
    ['sun', 'sunday', 'so', 'sonntag'],
    ['mon', 'monday', 'mo', 'montag'],
    ['tue', 'tuesday', 'di', 'dienstag'],
  ],
  ...[
    ['wed', 'wednesday', 'mi', 'mittwoch'],
    ['thu', 'thursday', 'do', 'donnerstag'],
  ],
  ...[
    ['fri', 'friday', 'fr', 'freitag'],
    ['sat', 'saturday', 'sa', 'samstag', 'sonnabend'],
  ],
]
const days: Readonly<Record<string, number>> = { today: 0, heute: 0, tomorrow: 1, morgen: 1, ubermorgen: 2 }
const steps: Readonly<Record<string, { days: number; months: number }>> = {
  day: { days: 1, months: 0 },
  week: { days: 7, months: 0 },
  month: { days: 0, months: 1 },
}
const units: Readonly<Record<string, string>> = { tag: 'day', woche: 'week', monat: 'month' }
const amounts: Readonly<Record<string, number>> = { a: 1, one: 1, einem: 1, einer: 1, next: 1 }
const amountMax = 999

/**
 * The moment that English or German words mean: `tomorrow`, `fri 10:00`, `fri 10`, `in 2 weeks`, `next month`, `übermorgen`, `in 2 wochen`,
 * `24.12.`. Without a time: the end of that day. A weekday is the next one after today, a date without a year the next such day. Undefined:
 * they mean none.
 */
export function parseSpoken(text: string, now: Date): Date | undefined {
  const words = fold(text.trim())
    .replace(/\b(?:at|um|on|am|uhr)\b/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
  const clock = words.length > 1 ? timeIn(words.at(-1)!) : undefined
  const day = dayIn(clock ? words.slice(0, -1) : words, now)
  if (!day) return undefined
  if (!clock) return endOfDay(day)
  const moment = new Date(day.getFullYear(), day.getMonth(), day.getDate(), clock.hour, clock.minute)
  return moment.getHours() === clock.hour ? moment : undefined // a clock change can skip it
}

function timeIn(word: string): { hour: number; minute: number } | undefined {
  const [, hour, minute = '0'] = /^(\d{1,2})(?::(\d\d))?$/.exec(word) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined
  return { hour: Number(hour), minute: Number(minute) }
}

function dayIn(words: readonly string[], now: Date): Date | undefined {
  const [first = '', second = ''] = words
  if (words.length === 1) {
    const ahead = days[first]
    if (ahead !== undefined) return startOfDay(now, ahead)
    const weekday = weekdays.findIndex((names) => names.includes(first))
    return weekday < 0 ? dateIn(first, now) : startOfDay(now, (weekday - now.getDay() + 7) % 7 || 7)
  }
  if (words.length === 2 && /^(?:next|nachste[nrs]?)$/.test(first)) return later(now, 1, second)
  if (words.length !== 3 || first !== 'in') return undefined
  const amount = amounts[second] ?? (/^\d{1,3}$/.test(second) ? Number(second) : undefined)
  return amount === undefined ? undefined : later(now, amount, words[2]!)
}

/** `24.12.2026`, `24.12.` or `2026-12-24`. */
function dateIn(word: string, now: Date): Date | undefined {
  const [, day, month, given] = /^(\d\d?)\.(\d\d?)\.(\d{4})?$/.exec(word) ?? []
  if (!day) return parseLocal(word)
  const year = now.getFullYear()
  const on = (year: number | string) => parseLocal(`${year}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}`)
  const date = on(given ?? year)
  return given || (date && date >= startOfDay(now)) ? date : on(year + 1)
}

/** Some days, weeks or months later. A month without that day ends before it. */
function later(now: Date, amount: number, word: string): Date | undefined {
  const unit = /^(day|week|month)s?$/.exec(word)?.[1] ?? units[/^(tag|woche|monat)(?:en|e|n)?$/.exec(word)?.[1] ?? '']
  const step = unit === undefined ? undefined : steps[unit]
  if (!step || amount > amountMax) return undefined
  if (step.months === 0) return startOfDay(now, amount * step.days)
  const last = new Date(now.getFullYear(), now.getMonth() + amount + 1, 0).getDate()
  return new Date(now.getFullYear(), now.getMonth() + amount, Math.min(now.getDate(), last))
}
