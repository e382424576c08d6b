import { useEffect, useRef, useState } from 'preact/hooks'
import type { UsageCounts } from '../../../access/usage-report.ts'
import { number, utcDaysText, utcDayText, utcMonthText } from '../format.ts'
import { type Period, periodsOf, type Span, whole } from '../usage-periods.ts'

/** The outcomes from the bottom to the top of a bar. */
const outcomes = [
  { name: 'succeeded', label: 'Succeeded', color: '--bar-succeeded' },
  { name: 'rejected', label: 'Rejected (4xx)', color: '--bar-rejected' },
  { name: 'rate_limited', label: 'Rate limited (429)', color: '--bar-limited' },
  { name: 'failed', label: 'Failed (5xx)', color: '--bar-failed' },
] as const

interface UsageChartProps {
  days: ({ day: string } & UsageCounts)[]
  by: Span
}

/** Requests by outcome over time, also as a table. */
export function UsageChart({ days, by }: UsageChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const [pointed, point] = useState<number>()
  const periods = periodsOf(days, by)
  const text = JSON.stringify(periods)
  useEffect(() => {
    let end: (() => void) | undefined
    let left = false
    import('../bar-chart.ts').then(({ drawBars }) => {
      if (left) return
      const labels = periods.map(({ first }) => (by === 'month' ? utcMonthText(first) : utcDayText(first)))
      const layers = outcomes.map(({ name, color }) => ({ color, values: periods.map((period) => period[name]) }))
      end = drawBars(element.current!, { labels, layers, onPoint: point })
    })
    return () => {
      left = true
      end?.()
    }
  }, [text, by])
  return (
    <>
      <Legend period={periods[pointed ?? -1] ?? whole(periods)} />
      <div ref={element} class="chart" aria-hidden="true" />
      <details>
        <summary>As a table</summary>
        <Numbers periods={periods} />
      </details>
    </>
  )
}

/** The legend, with the counts of the bar under the pointer or of all bars. */
function Legend({ period }: { period: Period }) {
  return (
    <div class="legend small number">
      <span class="muted">{utcDaysText(period.first, period.last)}</span>
      {outcomes.map(({ name, label, color }) => (
        <span key={name}>
          <span class="dot" style={{ backgroundColor: `var(${color})` }} /> {label}{' '}
          <strong>{number(period[name])}</strong>
        </span>
      ))}
    </div>
  )
}

function Numbers({ periods }: { periods: Period[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label="Requests by outcome" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Period</th>
            {outcomes.map(({ name, label }) => (
              <th key={name} scope="col" class="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods
            .filter(({ requests }) => requests > 0)
            .map((period) => (
              <tr key={period.first}>
                <th scope="row">{utcDaysText(period.first, period.last)}</th>
                {outcomes.map(({ name }) => (
                  <td key={name} class="end number">
                    {number(period[name])}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
