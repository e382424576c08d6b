import { unguardCell } from '../lib/formula.ts'
import { FileFault } from './fault.ts'

/** A row of a table with the line where it begins. */
export interface Line {
  readonly line: number
  readonly cells: string[]
}

const delimiters = [',', ';', '\t', '|']
/** The maximum length of a row, so that a quote that is never closed does not consume the rest of the file. */
const rowCharactersMax = 16 * 2 ** 20
const headerCharactersMax = 2 ** 20
export const columnsMax = 2_000

/**
 * Reads CSV in chunks: RFC 4180 with any line ending and delimiter. A quote inside a cell is text unless a delimiter or the end of the line
 * follows it. Rows whose cells are all empty are left out. One leading `'` in front of a formula is removed (decision K4).
 */
export class CsvReader {
  #delimiter: string | undefined
  /** The text before the delimiter is known. */
  #head: string | undefined = ''
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #cells: string[] = []
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
      this.#head += text
      if (isWholeHeader(this.#head) || this.#head.length > headerCharactersMax) this.#detect()
    }
    return this.#taken()
  }

  /** Returns the last row. Throws FileFault. */
  end(): Line[] {
    if (this.#head !== undefined) this.#detect()
    if (this.#state === 'quoted') throw this.#unclosed()
    if (this.#cell !== '' || this.#cells.length > 0) this.#endRow()
    return this.#taken()
  }

  #taken(): Line[] {
    const found = this.#found
    this.#found = []
    return found
  }

  #detect(): void {
    const head = this.#head!.replace(/^\uFEFF/, '')
    this.#head = undefined
    const declared = /^sep=(.)(?:\r\n|\r|\n)/i.exec(head)
    this.#delimiter ??= declared?.[1] ?? delimiterOf(head)
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
    if (this.#cells.push(unguardCell(this.#cell)) > columnsMax) {
      throw new FileFault(`has more than ${columnsMax} columns`, this.#begin)
    }
    this.#cell = ''
    this.#state = 'start'
  }

  #endRow(): void {
    this.#endCell()
    if (this.#cells.some((cell) => cell.trim() !== '')) this.#found.push({ line: this.#begin, cells: this.#cells })
    this.#line += 1 + this.#cells.reduce((lines, cell) => lines + breaksIn(cell), 0)
    this.#begin = this.#line
    this.#cells = []
    this.#characters = 0
  }

  #unclosed(): FileFault {
    return new FileFault('a quote is never closed', this.#begin)
  }
}

/** Whether the text has the end of a line outside of quotes. */
function isWholeHeader(text: string): boolean {
  return /[\r\n]./s.test(withoutQuoted(text))
}

function withoutQuoted(text: string): string {
  return text.replace(/"(?:[^"]|"")*(?:"|$)/g, '')
}

/** The delimiter that splits the header into the most columns. */
function delimiterOf(head: string): string {
  const header = withoutQuoted(head).split(/[\r\n]/, 1)[0]!
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

function breaksIn(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\r|\n/).length - 1 : 0
}
