import { FileFault } from './fault.ts'
import { isBinary, isContinued, type Property, partsOf, readProperty, unescapeText } from './vcard-lines.ts'

/** A card as named cells, with the line where it begins. */
interface Card {
  readonly line: number
  readonly cells: ReadonlyMap<string, string>
}

const cardCharactersMax = 2 ** 20
const lineCharactersMax = 16 * 2 ** 20
const propertiesMax = 1_000

/** Properties about the card and not about the person. */
const silent = new Set(['BEGIN', 'END', 'VERSION', 'PRODID', 'REV', 'X-ABLABEL', 'SOURCE', 'KIND'])
const nameParts = ['Last name', 'First name', 'Middle name', 'Prefix', 'Suffix']
const single: Readonly<Record<string, string>> = { TITLE: 'Job title', NOTE: 'Notes', BDAY: 'Birthday', UID: 'UID' }
/** Properties that a card has several times, with the name of their columns. */
const several: Readonly<Record<string, string>> = { EMAIL: 'E-mail', TEL: 'Phone' }

/** Reads the cards of vCard 2.1, 3.0 and 4.0 in chunks, without pictures (decision K4). */
export class VCardReader {
  #rest = ''
  #line = 0
  #begin = 0
  #characters = 0
  #isSkipping = false
  #lines: { text: string; line: number }[] | undefined

  /** Returns the cards that are complete. Throws FileFault. */
  push(text: string): Card[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    if (this.#rest.length > lineCharactersMax) throw new FileFault('is too long', this.#line + 1)
    return lines.flatMap((line) => this.#readLine(line.replace(/\r$/, '')))
  }

  /** Returns the last card. Throws FileFault. */
  end(): Card[] {
    const cards = this.push('\n')
    if (this.#lines) throw new FileFault('a card has no END:VCARD', this.#begin)
    return cards
  }

  #readLine(line: string): Card[] {
    this.#line++
    const trimmed = line.replace(/^\uFEFF/, '').trim()
    if (!this.#lines) {
      if (trimmed === '') return []
      if (trimmed.toUpperCase() !== 'BEGIN:VCARD') throw new FileFault('is not the beginning of a vCard', this.#line)
      this.#lines = []
      this.#begin = this.#line
      this.#characters = 0
      return []
    }
    if (trimmed.toUpperCase() === 'END:VCARD') {
      const cells = cellsOf(this.#lines.map(({ text, line }) => readProperty(text, line)))
      this.#lines = undefined
      return [{ line: this.#begin, cells }]
    }
    this.#addLine(line)
    return []
  }

  #addLine(line: string): void {
    const lines = this.#lines!
    const last = lines.at(-1)
    const isFolded = /^[ \t]/.test(line)
    if (isFolded && this.#isSkipping) return
    this.#characters += line.length
    if (!isFolded && last && isContinued(last.text)) last.text = last.text.slice(0, -1) + line
    else if (isFolded && last) last.text = (isContinued(last.text) ? last.text.slice(0, -1) : last.text) + line.slice(1)
    else {
      this.#isSkipping = isBinary(line)
      if (this.#isSkipping) this.#characters -= line.length
      else if (line.trim() !== '') lines.push({ text: line, line: this.#line })
    }
    if (this.#characters > cardCharactersMax || lines.length > propertiesMax) {
      throw new FileFault('the card is too long', this.#begin)
    }
  }
}

function cellsOf(properties: readonly Property[]): Map<string, string> {
  const cells = new Map<string, string>()
  const put = (name: string, value: string) => {
    if (value !== '') cells.set(name, cells.has(name) ? `${cells.get(name)}; ${value}` : value)
  }
  const counts = new Map<string, number>()
  for (const property of properties) {
    const { name, value } = property
    if (silent.has(name)) continue
    if (name === 'N') partsOf(value).forEach((part, at) => void put(nameParts[at] ?? 'Suffix', part))
    else if (name === 'ORG') {
      const [organization = '', ...units] = partsOf(value)
      put('Organization', organization)
      put('Department', units.filter(Boolean).join(', '))
    } else if (several[name]) {
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      putItem(put, `${several[name]} ${number}`, property, properties)
    } else if (name === 'FN') put('Full name', unescapeText(value))
    else if (name === 'ADR') put(name, partsOf(value).filter(Boolean).join(', '))
    else put(single[name] ?? name, unescapeText(value))
  }
  if (cells.has('First name') || cells.has('Last name')) cells.delete('Full name')
  return cells
}

function putItem(
  put: (name: string, value: string) => void,
  column: string,
  { group, types, isPreferred, value }: Property,
  properties: readonly Property[],
): void {
  const label = properties.find((each) => each.name === 'X-ABLABEL' && group !== undefined && each.group === group)
  const given = label && unescapeText(label.value).replace(/^_\$!<(.*)>!\$_$/, '$1')
  put(`${column} - Value`, unescapeText(value.replace(/^(?:tel|mailto):/i, '')))
  put(`${column} - Label`, given ?? (types.includes('cell') ? 'cell' : (types[0] ?? '')))
  if (isPreferred) put(`${column} - Primary`, 'true')
}
