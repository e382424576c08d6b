import { type DayOrder, orderIn } from './dates.ts'
import { type Decimal, decimalIn } from './numbers.ts'
import { tidy } from './tidy.ts'

/** What decides about a cell that may mean two things. */
export interface Hint {
  readonly decimal?: Decimal | undefined
  readonly order?: DayOrder | undefined
}

/** A value that may mean two things, and nothing decides. */
export class Ambiguous {
  readonly text: string
  readonly message: string
  /** What would decide; undefined: only another text. */
  readonly lacks: keyof Hint | undefined

  constructor(text: string, message: string, lacks?: keyof Hint) {
    this.text = text
    this.message = message
    this.lacks = lacks
  }
}

interface Known {
  /** How a person says that numbers and dates of the file are written, which goes before what the columns say. */
  stated?: Hint
  /** The decimal sign of the program that wrote the file. */
  decimal?: Decimal | undefined
}

/** Collects what the cells of each column say. A column that contradicts itself says nothing. */
export class ColumnHints {
  readonly #decimals: (Decimal | 'both' | undefined)[] = []
  readonly #orders: (DayOrder | 'both' | undefined)[] = []
  readonly #stated: Hint
  readonly #decimal: Decimal | undefined

  constructor({ stated = {}, decimal }: Known = {}) {
    this.#stated = stated
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
      decimal: this.#stated.decimal ?? (decimal === 'both' ? undefined : (decimal ?? this.#decimal)),
      order: this.#stated.order ?? (order === 'both' ? undefined : order),
    }
  }
}

function both<T>(before: T | 'both' | undefined, given: T | undefined): T | 'both' | undefined {
  if (given === undefined || before === given) return before
  return before === undefined ? given : 'both'
}
