import { addUsage, type UsageCounts } from '../../../access/usage-report.ts'
import { dayMs } from '../text/days.ts'

export type Span = 'day' | 'week' | 'month'

/** Requests of the days from `first` to `last`, as `2026-06-15`, UTC. */
interface Period extends UsageCounts {
  first: string
  last: string
}

/** Days in order, summed by week (from Monday) or month. The first and last periods may be incomplete. */
export function periodsOf(days: ({ day: string } & UsageCounts)[], by: Span): Period[] {
  const periods = new Map<string, Period>()
  for (const { day, ...counts } of days) {
    const start = startOf(day, by)
    const period = { first: day, last: day, ...counts }
    const before = periods.get(start)
    periods.set(start, before ? add(before, period) : period)
  }
  return [...periods.values()]
}

/** The sum of all periods; at least one is required. */
export function whole(periods: Period[]): Period {
  return periods.reduce(add)
}

function add(a: Period, b: Period): Period {
  return { first: a.first, last: b.last, ...addUsage(a, b) }
}

function startOf(day: string, by: Span): string {
  if (by === 'day') return day
  if (by === 'month') return day.slice(0, 7)
  const date = new Date(day)
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)
}
