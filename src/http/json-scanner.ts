import { ApiError } from '../errors.ts'

export interface JsonBounds {
  depthMax: number
  /** Of one value, in bytes. */
  valueBytesMax: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const openings = [0x5b, 0x7b]
const closings = [0x5d, 0x7d]
const spaces = [0x20, 0x09, 0x0a, 0x0d]

/**
 * Walks over the members of one JSON object or array, in UTF-8, without parsing them: it finds where each value ends. The
 * values' own syntax is left to whoever parses their texts. Throws INVALID_REQUEST.
 */
export class JsonScanner {
  readonly #bytes: Buffer
  readonly #bounds: JsonBounds
  /** Where it is, in bytes. */
  at = 0
  #isFirst = true

  constructor(bytes: Buffer, bounds: JsonBounds) {
    this.#bytes = bytes
    this.#bounds = bounds
  }

  /** The next character, spaces apart; empty at the end. */
  peek(): string {
    while (spaces.includes(this.#bytes[this.at]!)) this.at++
    const byte = this.#bytes[this.at]
    return byte === undefined ? '' : String.fromCharCode(byte)
  }

  expect(character: string): void {
    if (this.peek() !== character) throw this.#malformed(`expected ${character}`)
    this.at++
  }

  /** Begins an object or array. */
  enter(opening: '{' | '['): void {
    if (opening === '{' && this.peek() !== '{') throw invalid('The body must be a JSON object')
    this.expect(opening)
    this.#isFirst = true
  }

  /** Whether another member follows; otherwise passes the closing bracket. */
  hasNext(closing: '}' | ']'): boolean {
    if (this.peek() === closing) {
      this.at++
      this.#isFirst = false
      return false
    }
    if (!this.#isFirst) this.expect(',')
    this.#isFirst = false
    return true
  }

  /** The text of the value that begins here. */
  value(): string {
    this.peek()
    const start = this.at
    let depth = 0
    do {
      const byte = this.#bytes[this.at]
      if (byte === undefined) throw this.#malformed('unexpected end')
      if (byte === quote) this.#passString()
      else if (openings.includes(byte)) depth++
      else if (closings.includes(byte)) depth--
      this.at++
      this.#requireWithin(start, depth)
    } while (depth > 0 || this.#isInScalar(start))
    return this.#bytes.toString('utf8', start, this.at)
  }

  /** Requires that nothing follows. */
  end(): void {
    if (this.peek() !== '') throw this.#malformed('unexpected text after the end')
  }

  /** Ends at the closing quote. */
  #passString(): void {
    const bytes = this.#bytes
    let at = this.at + 1
    for (let byte = bytes[at]; byte !== quote; byte = bytes[++at]) {
      if (byte === undefined) throw this.#malformed('unexpected end of a string')
      if (byte === backslash) at++
    }
    this.at = at
  }

  /** Numbers and words end where something else begins. */
  #isInScalar(start: number): boolean {
    const [first, byte] = [this.#bytes[start]!, this.#bytes[this.at]]
    if (first === quote || openings.includes(first) || byte === undefined) return false
    return byte !== comma && !closings.includes(byte) && !spaces.includes(byte)
  }

  #requireWithin(start: number, depth: number): void {
    const { depthMax, valueBytesMax } = this.#bounds
    if (depth > depthMax) throw invalid(`The body is nested deeper than ${depthMax} levels`)
    if (this.at - start > valueBytesMax) throw invalid(`A record is larger than ${valueBytesMax} bytes`, 413)
  }

  #malformed(reason: string): ApiError {
    return invalid(`The body is not valid JSON: ${reason} at byte ${this.at}`)
  }
}

function invalid(message: string, status = 400): ApiError {
  return new ApiError('INVALID_REQUEST', message, { status })
}
