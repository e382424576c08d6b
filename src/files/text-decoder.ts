import { FileFault } from './fault.ts'

/** The encodings of files. `latin1` is read as Windows-1252, as Excel does. */
export const encodings = ['auto', 'utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const
export type Encoding = (typeof encodings)[number]

/** The beginning of a file that shows whether it is UTF-16. */
const headBytes = 4_096
/** The longest part of a character that may be at the end of a chunk. */
const partBytesMax = 3
/** Frequent characters beyond ASCII in UTF-8, as Windows-1252 shows them: `Ã¼`, `â€“`, Cyrillic. */
const utf8InWindows =
  /[\u00c2\u00c3\u00d0\u00d1][\u0080-\u00bf]|\u00c3[\u0152\u0153\u0178\u2013\u201e\u2030]|\u00e2\u20ac/
const mixed =
  'contains both UTF-8 and Windows-1252 text: save it again in one encoding, or name the encoding of most of it (--encoding)'

/**
 * Decodes a file in chunks (decision K4). `auto` knows UTF-16 by its byte order mark or its zero bytes, and takes UTF-8 until a byte cannot
 * be UTF-8: the file is Windows-1252 if everything before was ASCII, otherwise its encodings are mixed.
 */
export class FileDecoder {
  #head: Uint8Array | undefined = new Uint8Array()
  #decoder: TextDecoder | undefined
  /** The end of the last chunk, if it may be the first part of a character. */
  #part = new Uint8Array()
  #beyondAscii = false
  readonly #given: Encoding

  constructor(given: Encoding = 'auto') {
    this.#given = given
    if (given !== 'auto') this.#use(given)
  }

  /** Throws FileFault. */
  push(chunk: Uint8Array): string {
    if (!this.#head) return this.#decode(chunk)
    this.#head = joined(this.#head, chunk)
    return this.#head.length < headBytes ? '' : this.#begin()
  }

  /** Throws FileFault. */
  end(): string {
    const begun = this.#head ? this.#begin() : ''
    return begun + this.#decode(new Uint8Array(), true)
  }

  #begin(): string {
    const head = this.#head!
    this.#head = undefined
    if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4) {
      throw new FileFault('is a workbook or an archive: save the sheet as CSV')
    }
    const wide = this.#given === 'auto' ? utf16Of(head) : undefined
    if (wide) this.#use(wide)
    return this.#decode(head)
  }

  #use(encoding: Encoding): void {
    const label = encoding === 'latin1' ? 'windows-1252' : encoding
    this.#decoder = new TextDecoder(label, { fatal: true })
  }

  #decode(chunk: Uint8Array, last = false): string {
    if (!this.#decoder) return this.#guess(joined(this.#part, chunk), last)
    try {
      const text = this.#decoder.decode(chunk, { stream: !last })
      if (this.#given === 'auto' && this.#decoder.encoding === 'windows-1252' && utf8InWindows.test(text)) {
        throw new FileFault(mixed)
      }
      return text
    } catch (error) {
      if (error instanceof FileFault) throw error
      throw new FileFault(`is not ${this.#decoder.encoding.toUpperCase()}: leave out --encoding to detect it`)
    }
  }

  /** Decodes UTF-8 up to the last complete character. */
  #guess(bytes: Uint8Array, last: boolean): string {
    const end = last ? bytes.length : bytes.length - incompleteEnd(bytes)
    const complete = bytes.subarray(0, end)
    this.#part = bytes.slice(end)
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(complete)
      this.#beyondAscii ||= text.length < complete.length
      return text
    } catch {
      if (this.#beyondAscii || hasUtf8(complete)) throw new FileFault(mixed)
      this.#use('latin1')
      return this.#decode(bytes, last)
    }
  }
}

/** The encoding of a file that begins with a byte order mark, or with a zero byte in every other place. */
function utf16Of(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  let even = 0
  let odd = 0
  head.forEach((byte, at) => {
    if (byte === 0) at % 2 === 0 ? even++ : odd++
  })
  const many = head.length * 0.2
  if (odd > many && even < odd / 10) return 'utf-16le'
  return even > many && odd < even / 10 ? 'utf-16be' : undefined
}

/** The number of bytes at the end that may be the first part of a character in UTF-8. */
function incompleteEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(partBytesMax, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

function hasUtf8(bytes: Uint8Array): boolean {
  return utf8InWindows.test(new TextDecoder('windows-1252').decode(bytes))
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
