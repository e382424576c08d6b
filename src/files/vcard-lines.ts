import { FileFault } from './fault.ts'

/** A property of a card: `item1.TEL;TYPE=work:+49 89 1`. */
export interface Property {
  /** `item1`; undefined: none. */
  readonly group: string | undefined
  /** In upper case. */
  readonly name: string
  /** The types in lower case, without `pref`, `internet` and `voice`. */
  readonly types: readonly string[]
  readonly isPreferred: boolean
  /** The value with its escapes. */
  readonly value: string
}

/** Pictures, sounds and keys, which are not read. */
const binary = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i
const meaningless = new Set(['pref', 'internet', 'voice', 'x-internet', 'msg', 'text'])

/** Whether a line of a card is the beginning of a property in quoted-printable that the next line continues. */
export function isContinued(line: string): boolean {
  return /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[^:]*:/i.test(line) && line.endsWith('=')
}

export function isBinary(line: string): boolean {
  return binary.test(line)
}

/** Reads a line that has been unfolded. Throws FileFault. */
export function readProperty(text: string, line: number): Property {
  const head = /^(?:([\w-]+)\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):/.exec(text)
  if (!head) throw new FileFault('is not a property of a vCard', line)
  const parameters = (head[3]!.match(/;(?:"[^"]*"|[^";])*/g) ?? []).map((each) => each.slice(1))
  const named = parameters.map((each) => /^(?:([\w-]+)=)?(.*)$/s.exec(each)!)
  const of = (name: string) => named.filter(([, given]) => given?.toUpperCase() === name).map(([, , value]) => value!)
  const bare = named.filter(([, given]) => given === undefined).map(([, , value]) => value!)
  const types = [...of('TYPE'), ...bare].flatMap(readTypes)
  const raw = text.slice(head[0].length)
  const isQuoted = [...of('ENCODING'), ...bare].some((each) => each.toUpperCase() === 'QUOTED-PRINTABLE')
  return {
    group: head[1]?.toLowerCase(),
    name: head[2]!.toUpperCase(),
    types: types.filter((type) => !meaningless.has(type) && type !== 'quoted-printable'),
    isPreferred: types.includes('pref') || of('PREF').includes('1'),
    value: isQuoted ? decodeQuoted(raw, of('CHARSET')[0] ?? 'utf-8', line) : raw,
  }
}

function readTypes(value: string): string[] {
  const quoted = /^"(.*)"$/s.exec(value)
  const unescaped = (text: string) =>
    text.replace(/\^[n'^]/g, (pair) => (pair === '^n' ? '\n' : pair === "^'" ? '"' : '^'))
  if (quoted && !/^"[\w-]+(?:,[\w-]+)+"$/.test(value)) return [unescaped(quoted[1]!)]
  return value.replaceAll('"', '').toLowerCase().split(',')
}

function decodeQuoted(text: string, charset: string, line: number): string {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (const [part, code] of text.matchAll(/=([0-9A-F]{2})|[^=]+|=/gi)) {
    if (code) bytes.push(Number.parseInt(code, 16))
    else for (const byte of encoder.encode(part)) bytes.push(byte)
  }
  try {
    return new TextDecoder(charset, { fatal: true }).decode(new Uint8Array(bytes))
  } catch {
    throw new FileFault(`has text that is not ${charset}`, line)
  }
}

/** The parts of a structured value, without escapes. */
export function partsOf(value: string): string[] {
  const parts = value.match(/(?:\\[\s\S]|[^\\;])*(?:;|$)/g) ?? []
  return parts.slice(0, value.endsWith(';') ? parts.length : Math.max(1, parts.length - 1)).map((part) => {
    return unescapeText(part.replace(/;$/, ''))
  })
}

export function unescapeText(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, next: string) => (next === 'n' || next === 'N' ? '\n' : next)).trim()
}
