import UPlot from 'uplot'
import { roundNumber } from '../text/format.ts'

// Loaded only by pages with a chart.

const heightPx = 220
const barPxMax = 48

/** The distances between the lines of a chart: 1, 2 and 5, and their multiples by powers of ten. */
const steps = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat()

/** What changes the colors of a page besides the theme that its user has chosen. */
const otherColors = ['print', '(prefers-color-scheme: dark)', '(forced-colors: active)']

interface Bars {
  /** The labels below the bars. */
  labels: string[]
  /** The layers from the bottom up, each with the custom property of its color and a value for each bar. */
  layers: { color: string; values: number[] }[]
  /** Called with the index of the bar under the pointer; undefined: none. */
  onPoint(at: number | undefined): void
}

/** Draws stacked bars as wide as the element. Returns a function that removes them. */
export function drawBars(element: HTMLElement, bars: Bars): () => void {
  const chart = new UPlot(optionsFor(element, bars), stackedData(bars), element)
  const resize = new ResizeObserver(([entry]) => chart.setSize({ width: entry!.contentRect.width, height: heightPx }))
  resize.observe(element)
  const redraw = () => chart.redraw()
  const theme = new MutationObserver(redraw)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const others = otherColors.map((query) => matchMedia(query))
  for (const each of others) each.addEventListener('change', redraw)
  return () => {
    for (const each of others) each.removeEventListener('change', redraw)
    theme.disconnect()
    resize.disconnect()
    chart.destroy()
  }
}

/** Sums from the bottom up, the top layer first, because each layer is drawn over the ones above it. A layer without a value draws nothing. */
function stackedData({ labels, layers }: Bars): UPlot.AlignedData {
  const heights = layers.map(({ values }, layer) =>
    values.map((value, at) => (value === 0 ? null : sumTo(layers, layer, at))),
  )
  return [labels.map((_, at) => at), ...heights.reverse()]
}

function sumTo(layers: Bars['layers'], last: number, at: number): number {
  return layers.slice(0, last + 1).reduce((sum, { values }) => sum + values[at]!, 0)
}

function optionsFor(element: HTMLElement, { labels, layers, onPoint }: Bars): UPlot.Options {
  const axis = {
    stroke: () => colorOf(element, '--muted'),
    grid: { stroke: () => colorOf(element, '--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(element).fontFamily}`,
  }
  const paths = UPlot.paths.bars!({ size: [0.75, barPxMax] })
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        incrs: [1, 2, 3, 5, 7, 10, 15, 30],
        values: (_, splits) => splits.map((at) => labels[at] ?? ''),
      },
      { ...axis, size: 56, incrs: steps, values: (_, splits) => splits.map(roundNumber) },
    ],
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    series: [
      {},
      ...layers
        .map(({ color }) => ({ fill: () => colorOf(element, color, 'none'), width: 0, paths, points: { show: false } }))
        .reverse(),
    ],
  }
}

/** A custom property as a color that a canvas understands. `forced`: whether a forced color takes its place, which is the same for all. */
function colorOf(element: HTMLElement, name: string, forced: 'auto' | 'none' = 'auto'): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  probe.style.forcedColorAdjust = forced
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
