import type { Line } from './csv.ts'
import { tidy } from './tidy.ts'

/** Rows that may be below a table, so that a longer part of the file is never taken for a note. */
const rowsMax = 50
const textCharactersMax = 1_000
const proseWordsMin = 3
/** Of a text without an empty row above. */
const sentenceWordsMin = 6
const mark =
  /^(?:©|\(c\)|copyright\b|confidential\b|vertraulich\b|generated\b|erstellt\b|exported\b|exportiert\b|report\b|bericht\b|page \d|seite \d|source:|quelle:|stand:|anzahl:|count:|\d+ (?:records?|rows?|entries|datens[aä]tze?|zeilen?|eintr[aä]ge?)$|(?:grand |sub)?total\b|(?:gesamt|zwischen)?summe\b|gesamt\b)/i

const total = /^(?:(?:grand |sub)?totals?|(?:gesamt|zwischen)?summe|gesamt)\s*:?$/i
const amount = /^(?:[\p{Sc}A-Z]{0,3}\s?[-−(]?\d[\d.,'’\s]*\)?\s?(?:[\p{Sc}%]|[A-Z]{3})?|[A-Z]{3}|\p{Sc})$/u
const rule = /^[-–—=_*.]{3,}$/

interface Ending {
  readonly rows: Line[]
  readonly below: Line[]
}

/** Tells what of a table is no record: headers that are repeated, lines between rows, and notes and sums at the end, which are held back until it is known. */
export class TableEnd {
  readonly #width: number
  readonly #header: string
  #held: Line[] = []
  /** Whether one of the rows that are held back is a note or a sum for certain. */
  #hasNote = false
  #left: Line[] = []

  constructor(header: readonly string[]) {
    this.#width = header.length
    this.#header = textOf(header)
  }

  /** Returns the rows that belong to the table. */
  push(line: Line): Line[] {
    const isHeader = this.#width > 1 && textOf(line.cells) === this.#header
    if (isHeader || filledIn(line).every((cell) => rule.test(cell))) {
      this.#left.push(...(isHeader ? this.#release() : []), line)
      return []
    }
    const isApart = line.isAfterGap || this.#held.length > 0
    const isNote = isTotal(line) || (this.#isNote(line) && (isApart || this.#isBare(line)))
    if ((isNote || this.#isTitle(line)) && this.#held.length < rowsMax) {
      this.#held.push(line)
      this.#hasNote ||= isNote
      return []
    }
    return [...this.#release(), line]
  }

  /** Returns what was found to be no record since the last time. */
  left(): Line[] {
    return this.#left.splice(0)
  }

  /** Returns the last rows of the table, and those below it. Titles without a note may be records. */
  end(): Ending {
    const hasNote = this.#hasNote
    const held = this.#release()
    return { rows: hasNote ? [] : held, below: [...this.left(), ...(hasNote ? held : [])] }
  }

  #release(): Line[] {
    this.#hasNote = false
    return this.#held.splice(0)
  }

  /** Whether a row is a text in its first cells: a short row of prose, or one that begins as sums and remarks do. */
  #isNote(line: Line): boolean {
    const filled = filledIn(line)
    if (
      filled.some((cell) => cell.includes('@') || cell.length > textCharactersMax) ||
      (this.#width > 2 && filled.length > this.#width / 2 + 1)
    )
      return false
    if (mark.test(filled[0]!)) return true
    return filled.length === 1 && line.width < this.#width && wordsIn(filled[0]!) >= proseWordsMin
  }

  /** Whether a row may be the name of a report, of a company or of a group of rows: alone below an empty row, or below a note. */
  #isTitle(line: Line): boolean {
    const [title = '', ...others] = filledIn(line)
    const isApart = line.isAfterGap || this.#hasNote
    return isApart && this.#width > 2 && others.length === 0 && title === tidy(line.cells[0]!) && !title.includes('@')
  }

  /** Whether a row without an empty one above has too few cells to belong to the table, and is no name. */
  #isBare({ cells, width }: Line): boolean {
    const text = tidy(cells[0]!)
    return width === 1 && this.#width > 2 && (mark.test(text) || wordsIn(text) >= sentenceWordsMin)
  }
}

function filledIn({ cells }: Line): string[] {
  return cells.map(tidy).filter((cell) => cell !== '')
}

/** Whether a row is a sum: the word, and amounts alone. */
function isTotal(line: Line): boolean {
  const [word = '', ...others] = filledIn(line)
  return total.test(word) && others.some((cell) => /\d/.test(cell)) && others.every((cell) => amount.test(cell))
}

function textOf(cells: readonly string[]): string {
  return cells.map(tidy).join('\n').trimEnd()
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length
}

/** The rows in which a header is looked for. */
export const headerRowsMax = 30

/** The index of the header: the first row if none of the others can be one. `fits` tells whether one has the required columns. */
export function headerIndex(rows: readonly (readonly string[])[], fits: (cells: readonly string[]) => boolean): number {
  const found = rows.slice(0, headerRowsMax).findIndex((cells, at) => {
    return (at === 0 || cells.filter((cell) => tidy(cell) !== '').length > 1) && fits(cells)
  })
  return Math.max(0, found)
}
