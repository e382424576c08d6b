import { dayMs, startOfDay } from '../text/days.ts'
import type { Query } from './http.ts'

/** Whole days in the user's time zone. */
export interface Span {
  start: Date
  /** The first moment after it. */
  end: Date
}

export type Unit = 'week' | 'month' | 'year'

/** Up to how many days a span is divided into weeks, and into months. */
const weeksDaysMax = 62
const monthsDaysMax = 750

/** The unit into which a span is divided. */
export function unitOf({ start, end }: Span): Unit {
  const days = (end.getTime() - start.getTime()) / dayMs
  if (days <= weeksDaysMax) return 'week'
  return days <= monthsDaysMax ? 'month' : 'year'
}

/** The weeks (from Monday), months or years of a span. The first and last one may be incomplete. */
export function divide({ start, end }: Span, unit: Unit): Span[] {
  const spans: Span[] = []
  for (let from = start; from < end; ) {
    const next = nextOf(from, unit)
    const to = next < end ? next : end
    spans.push({ start: from, end: to })
    from = to
  }
  return spans
}

/** The `count` weeks up to that of a day. */
export function weeksUntil(day: Date, count: number): Span[] {
  const end = nextOf(startOfDay(day), 'week')
  return divide({ start: startOfDay(end, -7 * count), end }, 'week')
}

function nextOf(day: Date, unit: Unit): Date {
  const [year, month] = [day.getFullYear(), day.getMonth()]
  if (unit === 'week') return startOfDay(day, 7 - ((day.getDay() + 6) % 7))
  return unit === 'month' ? new Date(year, month + 1) : new Date(year + 1, 0)
}

export function monthOf(day: Date, months = 0): Span {
  const [year, month] = [day.getFullYear(), day.getMonth() + months]
  return { start: new Date(year, month), end: new Date(year, month + 1) }
}

/** The API's parameters for the records of a span. */
export function spanQuery(field: string, { start, end }: Span): Query {
  return { [`${field}[gte]`]: start.toISOString(), [`${field}[lt]`]: end.toISOString() }
}

/** The `periods` of a summary that is grouped by these spans, which follow each other; a group is named by the start of its span. */
export function periodsOf(spans: readonly Span[]): string {
  return [...spans.map(({ start }) => start), spans.at(-1)!.end].map((at) => at.toISOString()).join()
}
