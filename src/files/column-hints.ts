import { type DayOrder, orderIn } from './dates.ts'
import { type Decimal, decimalIn } from './numbers.ts'
import { tidy } from './tidy.ts'

/** What the other cells of a column say about one that may mean two things. */
export interface Hint {
  readonly decimal?: Decimal | undefined
  readonly order?: DayOrder | undefined
}

/** A value that may mean two things, and nothing else in its column decides. */
export class Ambiguous {
  readonly text: string
  readonly message: string

  constructor(text: string, message: string) {
    this.text = text
    this.message = message
  }
}

/** Collects what the cells of each column say. A column that contradicts itself says nothing. */
export class ColumnHints {
  readonly #decimals: (Decimal | 'both' | undefined)[] = []
  readonly #orders: (DayOrder | 'both' | undefined)[] = []
  readonly #decimal: Decimal | undefined

  /** `decimal` is that of the program that wrote the file, if it is known. */
  constructor(decimal?: Decimal) {
    this.#decimal = decimal
  }

  add(cells: readonly string[]): void {
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]!
      if (!/^[\s(+−-]*[\d.,'’]/.test(cell) || cell.length > 40) continue
      const tidied = tidy(cell)
      this.#decimals[at] = both(this.#decimals[at], decimalIn(tidied))
      this.#orders[at] = both(this.#orders[at], orderIn(tidied))
    }
  }

  of(column: number): Hint {
    const [decimal, order] = [this.#decimals[column], this.#orders[column]]
    return {
      decimal: decimal === 'both' ? undefined : (decimal ?? this.#decimal),
      order: order === 'both' ? undefined : order,
    }
  }
}

function both<T>(before: T | 'both' | undefined, given: T | undefined): T | 'both' | undefined {
  if (given === undefined || before === given) return before
  return before === undefined ? given : 'both'
}
