import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import type { UsageCounts } from '../../../access/usage-report.ts'
import { number, utcDayText } from '../format.ts'

type Day = { day: string } & UsageCounts

const outcomes = [
  { name: 'succeeded', label: 'Succeeded', color: '--good' },
  { name: 'rejected', label: 'Rejected (4xx)', color: '--warn' },
  { name: 'rate_limited', label: 'Rate limited (429)', color: '--info' },
  { name: 'failed', label: 'Failed (5xx)', color: '--danger' },
] as const

const heightPx = 220

/** Requests by outcome over time; the same as a table for those who do not see the chart. */
export function UsageChart({ days, by }: { days: Day[]; by: 'day' | 'week' | 'month' }) {
  const element = useRef<HTMLDivElement>(null)
  const periods = grouped(days, by)
  const text = JSON.stringify(periods)
  useEffect(() => {
    let chart: uPlot | undefined
    const resize = new ResizeObserver(([entry]) =>
      chart?.setSize({ width: entry!.contentRect.width, height: heightPx }),
    )
    import('../uplot.ts').then(({ UPlot }) => {
      if (!element.current) return
      chart = new UPlot(optionsFor(element.current), dataOf(JSON.parse(text)), element.current)
      resize.observe(element.current)
    })
    return () => {
      resize.disconnect()
      chart?.destroy()
    }
  }, [text])
  return (
    <>
      <div ref={element} aria-hidden="true" style={{ minHeight: `${heightPx}px` }} />
      <details>
        <summary>As a table</summary>
        <Numbers periods={periods} />
      </details>
    </>
  )
}

function Numbers({ periods }: { periods: Day[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label="Requests by outcome" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
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
              <tr key={period.day}>
                <th scope="row">{period.day}</th>
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

/** Days added up by the week (from Monday) or the month that they are in. */
function grouped(days: Day[], by: 'day' | 'week' | 'month'): Day[] {
  const periods = new Map<string, Day>()
  for (const day of days) {
    const start = startOf(day.day, by)
    const before = periods.get(start)
    periods.set(start, before ? add(before, day) : { ...day, day: start })
  }
  return [...periods.values()]
}

function startOf(day: string, by: 'day' | 'week' | 'month'): string {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 7)}-01`
  const date = new Date(day)
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
}

function add(a: Day, b: Day): Day {
  const sum = { ...a, requests: a.requests + b.requests }
  for (const { name } of outcomes) sum[name] = a[name] + b[name]
  return sum
}

function dataOf(periods: Day[]): uPlot.AlignedData {
  const times = periods.map(({ day }) => Date.parse(day) / 1000)
  return [times, ...outcomes.map(({ name }) => periods.map((period) => period[name]))]
}

function optionsFor(element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => colorOf(element, name)
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  }
  return {
    width: element.clientWidth,
    height: heightPx,
    cursor: { drag: { x: false, y: false } },
    axes: [
      { ...axis, values: (_, splits) => splits.map((seconds) => utcDayText(seconds * 1000)) },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000] },
    ],
    scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
    series: [
      { label: 'From', value: (_, seconds) => (seconds === null ? '' : utcDayText(seconds * 1000)) },
      ...outcomes.map(({ label, color: name }, at) => ({
        label,
        stroke: color(name),
        width: 2,
        points: { show: true, size: 4 },
        ...(at === 0 && { fill: color('--good-soft') }),
      })),
    ],
  }
}

/** A custom property as a color that a canvas understands. */
function colorOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
