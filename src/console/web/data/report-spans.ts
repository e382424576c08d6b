import { now } from '../session/now.ts'
import { parseLocal, startOfDay } from '../text/days.ts'
import { dayRange, monthTitle, shortDay, shortMonth } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { divide, monthOf, type Span, type Unit, unitOf } from './spans.ts'

/** The periods that a report can be about. The last one is between two days that the user chooses. */
export const reportPeriods = [
  { name: 'this_month', label: t('This month') },
  { name: 'last_month', label: t('Last month') },
  { name: 'quarter', label: t('This quarter') },
  { name: 'year', label: t('This year') },
  { name: 'twelve_months', label: t('Last 12 months') },
  { name: 'custom', label: t('Other days') },
] as const

export type ReportPeriod = (typeof reportPeriods)[number]['name']

export const defaultPeriod: ReportPeriod = 'twelve_months'

/** The earliest day of a report: so no report has more parts than a summary takes. */
export const firstDay = '1990-01-01'

/** The days of a period; undefined: the user's days are not a period. */
export function spanOf(name: ReportPeriod, from = '', to = ''): Span | undefined {
  const today = now()
  const { end } = monthOf(today)
  const year = today.getFullYear()
  switch (name) {
    case 'this_month':
      return monthOf(today)
    case 'last_month':
      return monthOf(today, -1)
    case 'quarter': {
      const first = today.getMonth() - (today.getMonth() % 3)
      return { start: new Date(year, first), end: new Date(year, first + 3) }
    }
    case 'year':
      return { start: new Date(year, 0), end: new Date(year + 1, 0) }
    case 'twelve_months':
      return { start: monthOf(today, -11).start, end }
    case 'custom':
      return customSpan(from, to)
  }
}

function customSpan(from: string, to: string): Span | undefined {
  const [start, last] = [parseLocal(from), parseLocal(to)]
  const isSound = start && last && start <= last && from >= firstDay && last.getFullYear() <= now().getFullYear() + 1
  return isSound ? { start, end: startOfDay(last, 1) } : undefined
}

/** A part of a report: a week, a month or a year. */
export interface Part extends Span {
  title: string
  /** The text below a bar. */
  label: string
}

export function partsOf(span: Span): Part[] {
  const unit = unitOf(span)
  return divide(span, unit).map((part) => ({ ...part, ...namesOf(part, unit) }))
}

function namesOf({ start, end }: Span, unit: Unit): { title: string; label: string } {
  if (unit === 'week') return { title: dayRange(start, end), label: shortDay(start) }
  const isWhole = start.getDate() === 1 && end.getDate() === 1
  const year = String(start.getFullYear())
  if (unit === 'year') return { title: isWhole && start.getMonth() === 0 ? year : dayRange(start, end), label: year }
  return { title: isWhole ? monthTitle(start) : dayRange(start, end), label: shortMonth(start) }
}

/** What its parts are: the title of a column. */
export const unitLabels: Readonly<Record<Unit, string>> = { week: t('Week'), month: t('Month'), year: t('Year') }
