import { spanOf } from '../data/report-spans.ts'
import { monthOf, type Span, weeksUntil } from '../data/spans.ts'
import { now } from '../session/now.ts'
import { localDay, startOfDay } from '../text/days.ts'
import { t } from '../text/texts.ts'

/** Days that a filter is often about, as texts of an address. */
interface FilterSpan {
  label: string
  from: string
  to: string
}

export function filterSpans(): FilterSpan[] {
  const today = now()
  const start = startOfDay(today)
  const spans: [label: string, span: Span][] = [
    [t('Today'), { start, end: startOfDay(today, 1) }],
    [t('This week'), weeksUntil(today, 1)[0]!],
    [t('This month'), monthOf(today)],
    [t('This quarter'), spanOf('quarter')!],
    [t('This year'), spanOf('year')!],
    [t('Last 30 days'), { start: startOfDay(today, -29), end: startOfDay(today, 1) }],
    [t('Last month'), monthOf(today, -1)],
    [t('Next 30 days'), { start, end: startOfDay(today, 30) }],
    [t('Next month'), monthOf(today, 1)],
  ]
  return spans.map(([label, { start, end }]) => ({ label, from: localDay(start), to: localDay(startOfDay(end, -1)) }))
}
