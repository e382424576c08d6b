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

  constructor(bytes: Buffer, { depthMax = Number.POSITIVE_INFINITY } = {}) {
    this.#bytes = bytes
    this.#depthMax = depthMax
  }

  /** The next character that is not whitespace; empty at the end. */
  peek(): string {
    while (spaces.includes(this.#bytes[this.#at]!)) this.#at++
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
  }

  /** Continues with the value for about `bytesMax` bytes. Returns whether its end was reached. */
  advance(bytesMax = Number.POSITIVE_INFINITY): boolean {
    const pause = this.#at + bytesMax
    do {
      if (this.#at > pause) return false
      this.#step()
    } while (this.#depth > 0 || this.#isInScalar())
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

  /** Consumes a string, a bracket, or any other byte. */
  #step(): void {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw this.#malformed('unexpected end')
    if (byte === quote) this.#passString()
    else if (openings.includes(byte)) this.#depth++
    else if (closings.includes(byte)) this.#depth--
    this.#at++
    if (this.#depth > this.#depthMax) throw new RangeError(`nested deeper than ${this.#depthMax} levels`)
  }

  /** Consumes a string up to its closing quote. */
  #passString(): void {
    const bytes = this.#bytes
    let at = this.#at + 1
    for (let byte = bytes[at]; byte !== quote; byte = bytes[++at]) {
      if (byte === undefined) throw this.#malformed('unexpected end of a string')
      if (byte === backslash) at++
    }
    this.#at = at
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
