import type { Measured } from './round.ts'
import { confidenceOf, medianOf, type Spread, spreadOf } from './statistics.ts'

/** A ratio below this is to be explained by whoever quotes it. */
const ratioMin = 0.97
const mark = '▼'

/** The table of the rounds, and what is to be known about it. */
export function report(rounds: readonly Measured[][], leftOut: readonly string[]): string {
  const rows = rounds[0]!.map(({ name }) =>
    rowOf(
      name,
      rounds.map((round) => round.find((each) => each.name === name)!),
    ),
  )
  const blurred = rows.filter(({ spreads }) => spreads.every(({ low, high }) => high - low > 2 * (1 - ratioMin)))
  return [
    head(rounds.length),
    '',
    '| per second, unless it says otherwise | revision | working tree | ratio | range | ratio of processor time | range |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(({ cells }) => `| ${cells.join(' | ')} |`),
    '',
    `${mark}: all of the range is below ${ratioMin}, so the working tree is worse by more than ${percent}. Explain it where you quote it.`,
    ...(blurred.length > 0
      ? [`A difference of ${percent} cannot be seen in: ${blurred.map(({ name }) => name).join('; ')}. ${advice}`]
      : []),
    ...leftOut.map((why) => `Not measured: ${why}`),
  ].join('\n')
}

const percent = `${Math.round((1 - ratioMin) * 100)} %`
const advice = 'Their ranges are too wide: run it with --long, or while the machine does nothing else.'

function head(rounds: number): string {
  return [
    'A ratio above 1 means that the working tree is better: it does more per second, or needs less time or memory.',
    `A ratio is the median of ${rounds} rounds, each with servers of its own. Its range holds the true median with ${(100 * confidenceOf(rounds)).toPrecision(3)} %.`,
  ].join('\n')
}

interface Row {
  name: string
  cells: string[]
  spreads: Spread[]
}

function rowOf(name: string, measured: readonly Measured[]): Row {
  const shown = [0, 1].map((side) => number(medianOf(measured.map((each) => each.shown[side]!))))
  const ratios = spreadOf(measured.map(({ ratio }) => ratio))
  const ofProcessor = measured.flatMap(({ processorRatio }) => processorRatio ?? [])
  const spreads = [ratios, ...(ofProcessor.length > 0 ? [spreadOf(ofProcessor)] : [])]
  const cells = [name, ...shown, ...spreads.flatMap(cellsOf), ...(spreads.length < 2 ? ['', ''] : [])]
  return { name, cells, spreads }
}

function cellsOf({ median, low, high }: Spread): string[] {
  return [`${median.toFixed(2)}${high < ratioMin ? ` ${mark}` : ''}`, `${low.toFixed(2)}..${high.toFixed(2)}`]
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}
