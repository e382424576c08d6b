import { beginningOf } from '../lib/text.ts'
import { type Binary, binaryOf, decodeBinary, isUtf8, LineSplitter } from './bytes.ts'
import { isDoubtful, plausibility } from './encoding-score.ts'
import { FileFault } from './fault.ts'

/** An encoding that a file may have, with samples of what it makes of the file. */
interface Candidate {
  /** As in the Encoding Standard: `windows-1250`. */
  readonly encoding: string
  readonly samples: readonly string[]
}

/** The encoding of a file. */
export interface Detected {
  readonly encoding: string
  /** Whether no other encoding is nearly as likely. */
  readonly isCertain: boolean
  /** What the file may be in, the likeliest first; none: it is in Unicode. */
  readonly candidates: readonly Candidate[]
}

/** Encodings without a mark (decision K4), the most frequent first: it wins where others are as likely. */
const legacy = ['windows-1252', 'windows-1250', 'windows-1251', 'macintosh', 'shift_jis']
/** Encodings to choose from. Any other name of the Encoding Standard is accepted, too. */
export const offered = [
  ...['utf-8', ...legacy, 'utf-16le', 'utf-16be', 'iso-8859-2', 'windows-1253', 'windows-1254', 'windows-1257'],
  ...['koi8-r', 'iso-8859-5', 'gb18030', 'big5', 'euc-jp', 'euc-kr'],
]

/** The beginning of a file that shows whether it is UTF-16. */
const headBytes = 4_096
const lineBytesMax = 2 ** 16
/** The part of the lines beyond ASCII that is judged. */
const judgedBytesMax = 2 ** 16
const samplesMax = 3
const sampleCharactersMax = 40
const advantage = 1.3
/** Another encoding with this part of the likelihood makes the first uncertain. */
const nearly = 0.8
/** A single letter alone is no evidence. */
const evidenceMin = 1
/** Frequent characters beyond ASCII in UTF-8, as bytes. */
const utf8Text = /[\xc2\xc3\xd0\xd1][\x80-\xbf]|\xe2\x80[\x80-\xbf]/
const mixed = 'contains both UTF-8 and Windows-1252 text: save it again in one encoding'

/** Finds the encoding of a file from all its bytes, in chunks, in time proportional to their number. */
export class EncodingProbe {
  readonly #splitter = new LineSplitter(lineBytesMax)
  readonly #isCards: boolean
  #head = new Uint8Array()
  #isWide: string | undefined
  #isBegun = false
  /** A line of a vCard that the next one may continue. */
  #open: Binary = ''
  #hasUtf8 = false
  /** Lines that are not UTF-8. */
  #judged: Binary[] = []
  #judgedBytes = 0

  constructor({ isCards = false }: { isCards?: boolean } = {}) {
    this.#isCards = isCards
  }

  /** Throws FileFault. */
  push(chunk: Uint8Array): void {
    if (this.#isWide) return
    if (this.#isBegun) this.#read(binaryOf(chunk))
    else {
      const head = new Uint8Array(this.#head.length + chunk.length)
      head.set(this.#head)
      head.set(chunk, this.#head.length)
      this.#head = head
      if (head.length >= headBytes) this.#begin()
    }
  }

  /** Throws FileFault if the file is in several encodings. */
  end(): Detected {
    if (!this.#isBegun) this.#begin()
    if (this.#isWide) return { encoding: this.#isWide, isCertain: true, candidates: [] }
    const last = this.#splitter.end()
    if (last !== undefined) this.#readLine(last)
    this.#judge(this.#open)
    const isUtf8 = this.#judged.length === 0 || (this.#isCards && this.#hasUtf8)
    if (isUtf8) return { encoding: 'utf-8', isCertain: true, candidates: [] }
    const detected = detect(this.#judged)
    if (this.#hasUtf8 && detected.encoding !== 'shift_jis') {
      throw new FileFault(mixed, undefined, 'name the encoding of most of it with --encoding')
    }
    return detected
  }

  #begin(): void {
    this.#isBegun = true
    const head = this.#head
    if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4) {
      throw new FileFault('is a workbook or an archive: save the sheet as CSV')
    }
    this.#isWide = utf16Of(head)
    if (!this.#isWide && head.includes(0)) {
      throw new FileFault('is not text: choose a CSV or vCard file', undefined, 'a JSON or NDJSON file')
    }
    if (!this.#isWide) this.#read(binaryOf(head))
  }

  #read(text: Binary): void {
    for (const line of this.#splitter.push(text)) this.#readLine(line)
  }

  #readLine(line: Binary): void {
    const isMore = this.#isCards && /^[ \t]/.test(line) && this.#open.length < lineBytesMax
    if (!isMore) this.#judge(this.#open)
    this.#open = isMore ? this.#open + line.slice(1) : line
  }

  #judge(line: Binary): void {
    if (!/[\x80-\xff]/.test(line)) return
    const whole = line.length < lineBytesMax ? line : line.replace(/[\x80-\xff]{1,3}$/, '')
    if (isUtf8(whole)) this.#hasUtf8 ||= utf8Text.test(whole)
    else if (this.#judgedBytes < judgedBytesMax) {
      this.#judged.push(whole)
      this.#judgedBytes += whole.length
      this.#hasUtf8 ||= hasUtf8Word(whole)
    }
  }
}

/** Whether a line that is not UTF-8 as a whole has a word that is. */
function hasUtf8Word(line: Binary): boolean {
  return line.split(/[\0-\x40]+/).some((word) => utf8Text.test(word) && isUtf8(word))
}

function detect(lines: readonly Binary[]): Detected {
  const scored = legacy
    .flatMap((encoding, at) => {
      const texts = lines.map((line) => decodeBinary(line, encoding))
      if (texts.includes(undefined)) return []
      const text = texts.join('\n')
      return [{ encoding, text, score: plausibility(text) * (at === 0 ? advantage : 1) }]
    })
    .sort((a, b) => b.score - a.score)
  const distinct = scored.filter(({ text }, at) => scored.findIndex((each) => each.text === text) === at)
  const [first, second] = distinct
  return {
    encoding: first!.encoding,
    isCertain: first!.score >= evidenceMin && (!second || isLess(second.text, first!)) && !isDoubtful(first!.text),
    candidates: distinct.map(({ encoding, text }) => ({ encoding, samples: samplesOf(text) })),
  }
}

/** Whether a text is less likely than another where they differ. */
function isLess(text: string, { encoding, text: first }: { encoding: string; text: string }): boolean {
  const isAligned = text.length === first.length
  const own = plausibility(first, isAligned ? text : undefined) * (encoding === legacy[0] ? advantage : 1)
  return plausibility(text, isAligned ? first : undefined) < own * nearly
}

/** Words beyond ASCII, with the words beside them. */
function samplesOf(text: string): string[] {
  const samples = new Set<string>()
  for (const cell of text.split(/[\n\t;,|"]+/)) {
    if (samples.size === samplesMax) break
    if (/[^\0-\x7f]/.test(cell)) samples.add(beginningOf(cell.replace(/\p{Cc}+/gu, ' ').trim(), sampleCharactersMax))
  }
  return [...samples]
}

/** The encoding of a file that begins with a byte order mark, or with a zero byte in every other place. */
function utf16Of(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const read = head.subarray(0, headBytes)
  let even = 0
  let odd = 0
  read.forEach((byte, at) => {
    if (byte === 0) at % 2 === 0 ? even++ : odd++
  })
  const many = read.length * 0.2
  if (odd > many && even < odd / 10) return 'utf-16le'
  return even > many && odd < even / 10 ? 'utf-16be' : undefined
}
