/** Text whose characters are bytes: what is read before the encoding is known. */
export type Binary = string

const sliceMax = 8_192
const beyondAscii = /[^\0-\x7f]|\x1b/
const decodersMax = 50
const decoders = new Map<string, TextDecoder>()

export function binaryOf(bytes: Uint8Array): Binary {
  let text = ''
  for (let at = 0; at < bytes.length; at += sliceMax) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + sliceMax) as unknown as number[])
  }
  return text
}

function bytesOf(binary: Binary): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Whether bytes are text in UTF-8: faster than to decode them. */
export function isUtf8(binary: Binary): boolean {
  for (let at = 0; at < binary.length; at++) {
    const byte = binary.charCodeAt(at)
    if (byte < 0x80) continue
    const more = byte < 0xc2 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : 0
    if (more === 0) return false
    for (let each = 1; each <= more; each++) if ((binary.charCodeAt(at + each) & 0xc0) !== 0x80) return false
    at += more
  }
  return true
}

/** Decodes text in an encoding; undefined: it is not in this encoding, or there is no such encoding. Text in ASCII needs none. */
export function decodeBinary(binary: Binary, encoding: string): string | undefined {
  if (!beyondAscii.test(binary)) return binary
  try {
    return decoderOf(encoding).decode(bytesOf(binary))
  } catch {
    return undefined
  }
}

/** Throws RangeError if there is no such encoding. */
function decoderOf(encoding: string): TextDecoder {
  const known = decoders.get(encoding)
  if (known) return known
  const decoder = new TextDecoder(encoding, { fatal: true })
  if (decoders.size < decodersMax) decoders.set(encoding, decoder)
  return decoder
}

/**
 * Splits text into lines at `\r\n`, `\n` or `\r`, in time proportional to its length however it arrives. Of a line, what is beyond `max`
 * is dropped.
 */
export class LineSplitter {
  #parts: string[] = []
  #length = 0
  #afterReturn = false
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  push(text: Binary): Binary[] {
    const lines: Binary[] = []
    let begin = this.#afterReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') this.#afterReturn = false
    const end = /\r\n|\n|\r/g
    end.lastIndex = begin
    for (let found = end.exec(text); found; found = end.exec(text)) {
      this.#add(text.slice(begin, found.index))
      lines.push(this.#taken())
      begin = end.lastIndex
      this.#afterReturn = found[0] === '\r' && begin === text.length
    }
    this.#add(text.slice(begin))
    return lines
  }

  /** Returns the last line; undefined: the text ended with the end of a line. */
  end(): Binary | undefined {
    return this.#length > 0 ? this.#taken() : undefined
  }

  #add(part: string): void {
    const kept = part.slice(0, this.#max - this.#length)
    if (kept === '') return
    this.#parts.push(kept)
    this.#length += kept.length
  }

  #taken(): Binary {
    const line = this.#parts.length === 1 ? this.#parts[0]! : this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return line
  }
}
