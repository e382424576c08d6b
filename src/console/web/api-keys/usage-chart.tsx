import type { UsageCounts } from '../../../access/usage-report.ts'
import { Bars } from '../parts/bars.tsx'
import { utcDaysText, utcDayText, utcMonthText } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { periodsOf, type Span, whole } from './usage-periods.ts'

/** The outcomes from the bottom to the top of a bar. */
const outcomes = [
  { name: 'succeeded', label: t('Succeeded'), color: '--bar-succeeded' },
  { name: 'rejected', label: t('Rejected (4xx)'), color: '--bar-rejected' },
  { name: 'rate_limited', label: t('Rate limited (429)'), color: '--bar-limited' },
  { name: 'failed', label: t('Failed (5xx)'), color: '--bar-failed' },
] as const

interface UsageChartProps {
  days: ({ day: string } & UsageCounts)[]
  by: Span
}

/** Requests by outcome over time. */
export function UsageChart({ days, by }: UsageChartProps) {
  const periods = periodsOf(days, by)
  const all = whole(periods)
  const bars = periods.map(({ first, last }) => ({
    title: utcDaysText(first, last),
    label: by === 'month' ? utcMonthText(first) : utcDayText(first),
  }))
  const layers = outcomes.map((outcome) => ({ ...outcome, values: periods.map((period) => period[outcome.name]) }))
  return <Bars label={t('Requests by outcome')} whole={utcDaysText(all.first, all.last)} {...{ bars, layers }} />
}
