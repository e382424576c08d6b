import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { number } from '../format.ts'
import { t } from '../texts.ts'

export interface Layer {
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
  /** A value as text. */
  text?: (value: number) => string
  /** A value in the table, such as a link; default: its text. */
  cell?: (layer: Layer, at: number) => ComponentChildren
}

/** Stacked bars over time, also as a table. */
export function Bars({ label, bars, layers, whole, text = number, cell }: BarsProps) {
  const element = useRef<HTMLDivElement>(null)
  const [pointed, point] = useState<number>()
  const content = JSON.stringify([bars, layers])
  useEffect(() => {
    let end: (() => void) | undefined
    let left = false
    import('../bar-chart.ts').then(({ drawBars }) => {
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
            <strong>{text(pointedOf(layer))}</strong>
          </span>
        ))}
      </div>
      <div ref={element} class="chart" aria-hidden="true" />
      {label !== undefined && (
        <details>
          <summary>{t('As a table')}</summary>
          <Numbers {...{ label, bars, layers }} cell={cell ?? (({ values }, at) => text(values[at]!))} />
        </details>
      )}
    </>
  )
}

interface NumbersProps extends Pick<BarsProps, 'bars' | 'layers'> {
  label: string
  cell: NonNullable<BarsProps['cell']>
}

function Numbers({ label, bars, layers, cell }: NumbersProps) {
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
                  {cell(layer, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
