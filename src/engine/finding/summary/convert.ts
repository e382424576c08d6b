import { type Decimal, plus, readDecimal, rounded, times, zero } from '../../../lib/decimal.ts'
import type { Reader, SqlParam } from '../../../store/reader.ts'
import type { Rates } from '../../records/definition/options.ts'
import type { Measure } from './measures.ts'
import { amountsOf, asNumber, type Sums, sumColumns } from './sums.ts'

/** How the amounts of records are added up in one currency (decision T8): plain data that can be sent to any thread. */
export interface Converting {
  /** The amount itself. Records of a currency without a rate are counted and summed by it. */
  amount: Measure
  /** The column with the currency of a record. */
  currency: string
  rates: Rates
}

/** The records of a group whose currency has no rate. */
export interface Unconverted {
  currency: string
  count: number
  sum: number | null
}

interface Conversion {
  /** In the order of the measures; null: a sum beyond the range of a double. */
  sums: (number | null)[]
  unconverted: Unconverted[]
}

/** What the groups are made of, as parts of a statement. */
interface Source {
  from: string
  where: string
  params: readonly SqlParam[]
}

type Row = Record<'count' | 'place', number> & Sums & { currency: string }

/** Adds up each measure of the first groups in one currency: exact, and rounded once. `columns` are those that make and order the groups. */
export function convert(
  reader: Reader,
  {
    columns,
    measures,
    source,
    converting,
    limit,
  }: {
    columns: readonly string[]
    measures: readonly Measure[]
    source: Source
    converting: Converting
    limit: number
  },
): Conversion[] {
  const { amount, currency, rates } = converting
  const summed = [amount, ...measures]
  const selected = [
    `dense_rank() OVER (${columns.length > 0 ? `ORDER BY ${columns.join(', ')}` : ''}) AS place`,
    `${currency} AS currency`,
    'count(*) AS count',
    ...sumColumns(reader, summed),
  ]
  const sql = `SELECT * FROM (SELECT ${selected.join(', ')} FROM ${source.from} WHERE ${source.where}
    GROUP BY ${[...columns, currency].join(', ')}) WHERE place <= ? ORDER BY place, currency`
  const totals = Array.from({ length: limit }, () => new Totals(measures.length))
  for (const row of reader.rows<Row>(sql, ...source.params, limit)) {
    totals[row.place - 1]!.add(row, amountsOf(summed, row), rates)
  }
  return totals.map((each) => each.in(rates))
}

class Totals {
  readonly #sums: (Decimal | null)[]
  readonly #unconverted: Unconverted[] = []

  constructor(count: number) {
    this.#sums = new Array(count).fill(zero)
  }

  add({ currency, count }: Row, [amount, ...amounts]: readonly (Decimal | null)[], { of }: Rates): void {
    const rate = Object.hasOwn(of, currency) ? readDecimal(of[currency]!) : undefined
    if (!rate) this.#unconverted.push({ currency, count, sum: asNumber(amount!) })
    else {
      for (const [at, each] of amounts.entries()) {
        const before = this.#sums[at]!
        this.#sums[at] = before && each && plus(before, times(each, rate))
      }
    }
  }

  in({ places }: Rates): Conversion {
    return { sums: this.#sums.map((sum) => asNumber(sum && rounded(sum, places))), unconverted: this.#unconverted }
  }
}
