import { type Binary, binaryOf, LineSplitter } from './bytes.ts'
import { FileFault } from './fault.ts'
import { cellsOf, groupName, isGroup } from './vcard-cells.ts'
import { isBinary, type Property, readProperty, transferOf } from './vcard-lines.ts'

/** A card as named cells, with the line where it begins. */
export interface Card {
  readonly line: number
  readonly cells: ReadonlyMap<string, string>
  /** Why the card cannot be imported. The cells have what could be read. */
  readonly fault?: FileFault
  /** The name of a group of cards, which is not a person. */
  readonly group?: string
}

/** The lines of a property, before they are joined. */
interface Lines {
  readonly line: number
  readonly transfer: 'quoted' | 'base64' | undefined
  readonly parts: { text: Binary; isFolded: boolean }[]
}

const cardBytesMax = 2 ** 20
const propertiesMax = 1_000

/**
 * Reads the cards of vCard 2.1, 3.0 and 4.0 from bytes in chunks, without pictures (decision K4). Lines are unfolded before they are decoded,
 * because a line may be folded within a character. A fault concerns its card.
 */
export class VCardReader {
  readonly #encoding: string
  /** Decodes a file whose characters have two bytes. */
  readonly #wide: TextDecoder | undefined
  readonly #splitter = new LineSplitter(cardBytesMax + 1)
  #line = 0
  #begin = 0
  #bytes = 0
  #agents = 0
  #isSkipping = false
  #isBetween = true
  #hasCards = false
  #fault: FileFault | undefined
  #card: Lines[] | undefined

  /** `encoding` is that of text whose property names none. */
  constructor(encoding = 'utf-8') {
    this.#wide = encoding.startsWith('utf-16') ? new TextDecoder(encoding) : undefined
    this.#encoding = this.#wide ? 'utf-8' : encoding
  }

  /** Returns the cards that are complete. Throws FileFault if the file has no cards. */
  push(bytes: Uint8Array): Card[] {
    return this.#readText(this.#wide ? encoded(this.#wide.decode(bytes, { stream: true })) : binaryOf(bytes))
  }

  /** Returns the last card. Throws FileFault. */
  end(): Card[] {
    const cards = this.#wide ? this.#readText(encoded(this.#wide.decode())) : []
    const last = this.#splitter.end()
    if (last !== undefined) cards.push(...this.#readLine(last))
    return this.#card ? [...cards, this.#unended()] : cards
  }

  #readText(text: Binary): Card[] {
    return this.#splitter.push(text).flatMap((line) => this.#readLine(line))
  }

  #readLine(line: Binary): Card[] {
    this.#line++
    if (!this.#card) return this.#readBetween(line)
    const keyword = line.trimEnd().toUpperCase()
    if (keyword === 'BEGIN:VCARD') {
      const isAgent = /^AGENT[;:]/i.test(this.#card.at(-1)?.parts[0]?.text ?? '')
      if (isAgent && this.#agents === 0) this.#agents++
      else {
        const before = this.#unended()
        this.#open()
        return [before]
      }
    } else if (this.#agents > 0) this.#agents -= keyword === 'END:VCARD' ? 1 : 0
    else if (keyword === 'END:VCARD') return [this.#close()]
    else this.#addLine(line)
    return []
  }

  /** Reads a line between cards, where only empty lines belong. */
  #readBetween(line: Binary): Card[] {
    const text = (this.#hasCards ? line : line.replace(/^\xef\xbb\xbf/, '')).trim()
    if (text === '') return []
    if (text.toUpperCase() === 'BEGIN:VCARD') {
      this.#open()
      return []
    }
    const fault = new FileFault('is not the beginning of a vCard', this.#line)
    if (!this.#hasCards) throw fault
    if (!this.#isBetween) return []
    this.#isBetween = false
    return [{ line: this.#line, cells: new Map(), fault }]
  }

  #open(): void {
    this.#card = []
    this.#begin = this.#line
    this.#bytes = 0
    this.#agents = 0
    this.#isSkipping = false
    this.#hasCards = true
    this.#isBetween = true
    this.#fault = undefined
  }

  #unended(): Card {
    this.#fault ??= new FileFault('begins a card without END:VCARD', this.#begin)
    return this.#close()
  }

  #close(): Card {
    const lines = this.#card!
    this.#card = undefined
    const isOld = lines.some(({ parts }) => /^VERSION:\s*2\.1\s*$/i.test(parts[0]!.text))
    let fault = this.#fault
    const properties = lines.flatMap((each): Property[] => {
      try {
        return [readProperty(joined(each, isOld), each.line, this.#encoding)]
      } catch (error) {
        if (!(error instanceof FileFault)) throw error
        fault ??= error
        return []
      }
    })
    const card = { line: this.#begin, cells: cellsOf(properties) }
    if (fault) return { ...card, fault }
    return isGroup(properties) ? { ...card, group: groupName(properties) } : card
  }

  #addLine(line: Binary): void {
    if (this.#fault) return
    const last = this.#card!.at(-1)
    const isFolded = /^[ \t]/.test(line)
    const isOpen = last && (last.transfer !== 'quoted' || !last.parts.at(-1)!.text.endsWith('=')) ? undefined : last
    if (this.#isSkipping && (isFolded || (line.trim() !== '' && !line.includes(':')))) return
    if (!isFolded && !isOpen && isBinary(line)) {
      this.#isSkipping = true
      return
    }
    const isMore = isFolded || isOpen || (last?.transfer === 'base64' && !line.includes(':') && line.trim() !== '')
    this.#isSkipping = false
    if (last && isMore) last.parts.push({ text: line, isFolded })
    else if (line.trim() === '') return
    else this.#card!.push({ line: this.#line, transfer: transferOf(line), parts: [{ text: line, isFolded: false }] })
    this.#bytes += line.length
    if (this.#bytes <= cardBytesMax && this.#card!.length <= propertiesMax) return
    this.#fault = new FileFault('begins a card that is too long', this.#begin)
    this.#card = []
  }
}

/** The lines of a property in one. vCard 2.1 is folded in front of a space that belongs to the text. */
function joined({ transfer, parts }: Lines, isOld: boolean): Binary {
  return parts
    .map(({ text, isFolded }, at) => {
      const isContinued = transfer === 'quoted' && text.endsWith('=') && at < parts.length - 1
      const isText = isOld && transfer === undefined && isFolded && !isWithinCharacter(parts[at - 1]!.text, text)
      const begun = isFolded && !isText ? text.slice(1) : text
      return isContinued ? begun.slice(0, -1) : begun
    })
    .join('')
}

/** Whether a line was folded between the bytes of a character in UTF-8. */
function isWithinCharacter(before: Binary, after: Binary): boolean {
  return /[\x80-\xff]$/.test(before) && /^[ \t][\x80-\xbf]/.test(after)
}

function encoded(text: string): Binary {
  return binaryOf(new TextEncoder().encode(text))
}
