import { useEffect, useRef, useState } from 'preact/hooks'
import { busyUntil } from '../data/busy.ts'
import { number } from '../text/format.ts'
import { t } from '../text/texts.ts'

interface Layer {
  name: string
  label: string
  /** The custom property of its color. */
  color: string
  /** A value for each bar. */
  values: readonly number[]
}

interface BarsProps {
  /** The name of the table with the same numbers; undefined: the page shows another table with them. */
  label?: string
  /** The bars: their titles, and the short texts below them. */
  bars: readonly { title: string; label: string }[]
  /** From the bottom to the top of a bar. */
  layers: readonly Layer[]
  /** The title of the sums of all bars. */
  whole: string
  text?: (value: number) => string
  /** Where a value leads: one of a bar, or the sum of all. Default: nowhere. */
  href?: (layer: Layer, at?: number) => string
}

/** Stacked bars over time, also as a table. */
export function Bars({ label, bars, layers, whole, text = number, href }: BarsProps) {
  const element = useRef<HTMLDivElement>(null)
  const [pointed, point] = useState<number>()
  const content = JSON.stringify([bars, layers])
  useEffect(() => {
    let end: (() => void) | undefined
    let left = false
    busyUntil('script', import('./bar-chart.ts')).then(({ drawBars }) => {
      if (left) return
      const drawn = layers.map(({ color, values }) => ({ color, values: [...values] }))
      end = drawBars(element.current!, { labels: bars.map((bar) => bar.label), layers: drawn, onPoint: point })
    })
    return () => {
      left = true
      end?.()
    }
  }, [content])
  const shown = pointed === undefined ? undefined : bars[pointed]
  const pointedOf = ({ values }: Layer) => (shown ? values[pointed!]! : values.reduce((sum, value) => sum + value, 0))
  return (
    <>
      <div class="legend small number">
        <span class="muted">{shown?.title ?? whole}</span>
        {layers.map((layer) => (
          <span key={layer.name}>
            <span class="dot" style={{ backgroundColor: `var(${layer.color})` }} /> {layer.label}{' '}
            <strong>
              <Value href={href?.(layer, pointed)}>{text(pointedOf(layer))}</Value>
            </strong>
          </span>
        ))}
      </div>
      <div ref={element} class="chart" aria-hidden="true" />
      {label !== undefined && (
        <details>
          <summary>{t('As a table')}</summary>
          <Numbers {...{ label, bars, layers, text, href }} />
        </details>
      )}
    </>
  )
}

function Value({ href, children }: { href: string | undefined; children: string }) {
  return href === undefined ? children : <a href={href}>{children}</a>
}

interface NumbersProps extends Pick<BarsProps, 'bars' | 'layers'> {
  label: string
  text: (value: number) => string
  href: BarsProps['href']
}

function Numbers({ label, bars, layers, text, href }: NumbersProps) {
  const rows = bars.map((bar, at) => ({ bar, at })).filter(({ at }) => layers.some(({ values }) => values[at] !== 0))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Period')}</th>
            {layers.map(({ name, label }) => (
              <th key={name} scope="col" class="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ bar, at }) => (
            <tr key={bar.title}>
              <th scope="row">{bar.title}</th>
              {layers.map((layer) => (
                <td key={layer.name} class="end number">
                  <Value href={href?.(layer, at)}>{text(layer.values[at]!)}</Value>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
