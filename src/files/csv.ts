import { unguardCell } from '../lib/formula.ts'
import { delimiterOf } from './delimiter.ts'
import { FileFault } from './fault.ts'

/** A row of a table with the line where it begins. */
export interface Line {
  readonly line: number
  /** At most one more than `columnsMax`. */
  readonly cells: string[]
  /** The number of cells in the file. */
  readonly width: number
  /** Whether an empty row is above. */
  readonly isAfterGap: boolean
}

/** The maximum length of a row, so that a quote that is never closed does not consume the rest of the file. */
const rowCharactersMax = 16 * 2 ** 20
/** The part of the file whose rows decide about the delimiter. */
const headCharactersMax = 2 ** 20
export const columnsMax = 2_000

/**
 * Reads CSV in chunks: RFC 4180 with any line ending and delimiter. A quote inside a cell is text unless a delimiter or the end of the line
 * follows it. Rows whose cells are all empty are left out. One leading `'` in front of a formula is removed (decision K4).
 */
export class CsvReader {
  #delimiter: string | undefined
  /** The text before the delimiter is known. */
  #head: string[] | undefined = []
  #headCharacters = 0
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #cells: string[] = []
  #width = 0
  #isFirst = true
  #isAfterGap = false
  #cell = ''
  #characters = 0
  #line = 1
  #begin = 1
  #afterReturn = false
  #found: Line[] = []

  constructor(delimiter?: string) {
    this.#delimiter = delimiter
  }

  /** Returns the rows that are complete. Throws FileFault. */
  push(text: string): Line[] {
    if (this.#head === undefined) this.#read(text)
    else {
      this.#head.push(text)
      this.#headCharacters += text.length
      if (this.#headCharacters >= headCharactersMax) this.#detect(false)
    }
    return this.#taken()
  }

  /** Returns the last row. Throws FileFault. */
  end(): Line[] {
    if (this.#head !== undefined) this.#detect(true)
    if (this.#state === 'quoted') throw this.#unclosed()
    if (this.#cell !== '' || this.#width > 0) this.#endRow()
    return this.#taken()
  }

  #taken(): Line[] {
    const found = this.#found
    this.#found = []
    return found
  }

  #detect(isWhole: boolean): void {
    const head = this.#head!.join('').replace(/^\uFEFF/, '')
    this.#head = undefined
    const declared = /^sep=(.)(?:\r\n|\r|\n)/i.exec(head)
    this.#delimiter ??= declared?.[1] ?? delimiterOf(head, (each) => CsvReader.#widthsOf(head, each, isWhole))
    if (declared) this.#line = this.#begin = 2
    this.#read(declared ? head.slice(declared[0].length) : head)
  }

  #read(text: string): void {
    const delimiter = this.#delimiter!
    const special = new RegExp(`[\\r\\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]`, 'g')
    for (let at = 0; at < text.length; ) {
      if (this.#state === 'quoted') at = this.#readQuoted(text, at)
      else if (this.#state === 'quote') at = this.#afterQuote(text, at, delimiter)
      else if (this.#state === 'start' && text[at] === '\uFEFF') at++
      else if (this.#state === 'start' && text[at] === '"') {
        this.#state = 'quoted'
        at++
      } else at = this.#readPlain(text, at, special)
    }
  }

  #readQuoted(text: string, at: number): number {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    this.#add(text.slice(at, end))
    if (quote === -1) return end
    this.#state = 'quote'
    return end + 1
  }

  /** A quote in a quoted cell: doubled, the end of the cell, or a quote that was not doubled. */
  #afterQuote(text: string, at: number, delimiter: string): number {
    const next = text[at]!
    if (next === delimiter || next === '\r' || next === '\n') {
      this.#state = 'plain'
      return at
    }
    this.#state = 'quoted'
    this.#add('"')
    return next === '"' ? at + 1 : at
  }

  #readPlain(text: string, at: number, special: RegExp): number {
    special.lastIndex = at
    const end = special.exec(text)?.index ?? text.length
    if (end > at) {
      this.#add(text.slice(at, end))
      this.#state = 'plain'
      this.#afterReturn = false
    }
    if (end === text.length) return end
    const character = text[end]
    if (character === '\n' && this.#afterReturn && this.#state === 'start') return end + this.#passReturn()
    if (character === '\n' || character === '\r') this.#endRow()
    else this.#endCell()
    this.#afterReturn = character === '\r'
    return end + 1
  }

  /** Passes the `\n` of `\r\n`. */
  #passReturn(): number {
    this.#afterReturn = false
    return 1
  }

  #add(text: string): void {
    this.#cell += text
    this.#characters += text.length
    if (this.#characters <= rowCharactersMax) return
    throw this.#state === 'plain' || this.#state === 'start'
      ? new FileFault('the row is too long', this.#begin)
      : this.#unclosed()
  }

  #endCell(): void {
    if (++this.#width > columnsMax && this.#isFirst) {
      throw new FileFault(`has more than ${columnsMax} columns`, this.#begin)
    }
    if (this.#width <= columnsMax + 1) this.#cells.push(this.#cell)
    this.#line += breaksIn(this.#cell)
    this.#cell = ''
    this.#state = 'start'
  }

  #endRow(): void {
    this.#endCell()
    const cells = this.#cells.map(unguardCell)
    const isEmpty = cells.every((cell) => cell.trim() === '')
    if (!isEmpty) {
      this.#found.push({ line: this.#begin, cells, width: this.#width, isAfterGap: this.#isAfterGap })
      this.#isFirst = false
    }
    this.#isAfterGap = isEmpty
    this.#begin = ++this.#line
    this.#cells = []
    this.#width = 0
    this.#characters = 0
  }

  /** The widths of the rows that a delimiter makes of the beginning of a file; none: a quote is never closed. */
  static #widthsOf(head: string, delimiter: string, isWhole: boolean): number[] {
    const reader = new CsvReader(delimiter)
    reader.#head = undefined
    try {
      reader.#read(head)
      return [...reader.#taken(), ...(isWhole ? reader.end() : [])].map(({ width }) => width)
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      return []
    }
  }

  #unclosed(): FileFault {
    return new FileFault('a quote is never closed', this.#begin)
  }
}

function breaksIn(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\r|\n/).length - 1 : 0
}
