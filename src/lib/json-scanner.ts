const [quote, backslash] = [0x22, 0x5c]
const separators = [0x2c, 0x3a]
const openings = [0x5b, 0x7b]
const closings = [0x5d, 0x7d]
const spaces = [0x20, 0x09, 0x0a, 0x0d]

/**
 * Iterates over the members of a JSON object or array in UTF-8, and finds the end of each value without parsing it: the syntax inside
 * a value is not checked. Throws SyntaxError, and RangeError if the nesting is too deep.
 */
export class JsonScanner {
  readonly #bytes: Buffer
  readonly #depthMax: number
  #at = 0
  #isFirst = true
  #start = 0
  #depth = 0
  #isInString = false

  constructor(bytes: Buffer, { depthMax = Number.POSITIVE_INFINITY } = {}) {
    this.#bytes = bytes
    this.#depthMax = depthMax
  }

  /** The number of bytes that have been consumed. */
  get position(): number {
    return this.#at
  }

  /** Consumes about `bytesMax` bytes of whitespace. Returns whether its end was reached. */
  skipSpace(bytesMax = Number.POSITIVE_INFINITY): boolean {
    const pause = this.#at + bytesMax
    while (spaces.includes(this.#bytes[this.#at]!)) if (this.#at++ > pause) return false
    return true
  }

  /** The next character that is not whitespace; empty at the end. */
  peek(): string {
    this.skipSpace()
    const byte = this.#bytes[this.#at]
    return byte === undefined ? '' : String.fromCharCode(byte)
  }

  expect(character: string): void {
    if (this.peek() !== character) throw this.#malformed(`expected ${character}`)
    this.#at++
  }

  /** Begins an object or array. */
  enter(opening: '{' | '['): void {
    this.expect(opening)
    this.#isFirst = true
  }

  /** Whether another member follows; otherwise consumes the closing bracket. */
  hasNext(closing: '}' | ']'): boolean {
    const ends = this.peek() === closing
    if (ends) this.#at++
    else if (!this.#isFirst) this.expect(',')
    this.#isFirst = false
    return !ends
  }

  /** Begins the next value. */
  begin(): void {
    this.peek()
    this.#start = this.#at
    this.#depth = 0
    this.#isInString = false
  }

  /** Continues with the value for about `bytesMax` bytes. Returns whether its end was reached. */
  advance(bytesMax = Number.POSITIVE_INFINITY): boolean {
    const pause = this.#at + bytesMax
    do {
      if (this.#at > pause) return false
      this.#step(pause)
    } while (this.#depth > 0 || this.#isInString || this.#isInScalar())
    return true
  }

  /** The length of the part of the value that has been scanned, in bytes. */
  get valueBytes(): number {
    return this.#at - this.#start
  }

  /** The text of the value. */
  text(): string {
    return this.#bytes.toString('utf8', this.#start, this.#at)
  }

  /** Consumes the next value and returns its text. */
  value(): string {
    this.begin()
    this.advance()
    return this.text()
  }

  /** Throws SyntaxError if anything but whitespace follows. */
  end(): void {
    if (this.peek() !== '') throw this.#malformed('unexpected text after the end')
  }

  /** Consumes a bracket, any other byte, or a string, or a part of it up to `pause`. */
  #step(pause: number): void {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw this.#malformed('unexpected end')
    if (this.#isInString || byte === quote) {
      this.#passString(pause)
      return
    }
    if (openings.includes(byte)) this.#depth++
    else if (closings.includes(byte)) this.#depth--
    this.#at++
    if (this.#depth > this.#depthMax) throw new RangeError(`nested deeper than ${this.#depthMax} levels`)
  }

  #passString(pause: number): void {
    const bytes = this.#bytes
    let at = this.#isInString ? this.#at : this.#at + 1
    let byte = bytes[at]
    while (byte !== quote && at <= pause) {
      if (byte === undefined) throw this.#malformed('unexpected end of a string')
      at += byte === backslash ? 2 : 1
      byte = bytes[at]
    }
    this.#isInString = byte !== quote
    this.#at = this.#isInString ? at : at + 1
  }

  /** Numbers and literals end at the next delimiter. */
  #isInScalar(): boolean {
    const [first, byte] = [this.#bytes[this.#start]!, this.#bytes[this.#at]]
    if (first === quote || openings.includes(first) || byte === undefined) return false
    return !separators.includes(byte) && !closings.includes(byte) && !spaces.includes(byte)
  }

  #malformed(reason: string): SyntaxError {
    return new SyntaxError(`${reason} at byte ${this.#at}`)
  }
}
