import { type Binary, decodeBinary } from './bytes.ts'
import { FileFault } from './fault.ts'

/** A property of a card: `item1.TEL;TYPE=work:+49 89 1`. */
export interface Property {
  /** `item1`; undefined: none. */
  readonly group: string | undefined
  /** In upper case. */
  readonly name: string
  /** The types in lower case, without `pref`, `internet` and `voice`. */
  readonly types: readonly string[]
  /** The user's own name of the type (`X-Büro`); undefined: none. */
  readonly label: string | undefined
  readonly isPreferred: boolean
  /** What alternatives have in common; undefined: it is no alternative. */
  readonly altId: string | undefined
  readonly language: string | undefined
  /** The value with its escapes. */
  readonly value: string
}

/** A property without its encodings: its lines have been joined. */
interface Head {
  readonly group: string | undefined
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly value: Binary
}

interface Parameter {
  /** In upper case; undefined: a value alone (`TEL;CELL`). */
  readonly name: string | undefined
  readonly value: string
}

/** Pictures, sounds and keys, which are not read. */
const binary = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i
const meaningless = new Set(['pref', 'internet', 'voice', 'x-internet', 'msg', 'text'])
const encodingNames = new Set(['QUOTED-PRINTABLE', 'BASE64', 'B', '8BIT', '7BIT'])

const parametersMax = 100

export function isBinary(line: Binary): boolean {
  return binary.test(line)
}

/** How the value of a property is encoded, which decides where it ends. */
export function transferOf(line: Binary): 'quoted' | 'base64' | undefined {
  const head = line.slice(0, line.indexOf(':') + 1)
  if (/;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(head)) return 'quoted'
  return /;(?:ENCODING=(?:B|BASE64)|BASE64)[;:]/i.test(head) ? 'base64' : undefined
}

/** Reads a line that has been unfolded; `encoding` is that of the file. Throws FileFault. */
export function readProperty(text: Binary, line: number, encoding: string): Property {
  const head = headOf(text, encoding)
  if (!head) throw new FileFault('is not a property of a vCard', line)
  const { group, name, parameters } = head
  const of = (wanted: string) => parameters.flatMap(({ name, value }) => (name === wanted ? [value] : []))
  const bare = parameters.flatMap(({ name, value }) => (name === undefined ? [value] : []))
  const given = [...of('TYPE').flatMap(typesIn), ...bare.filter((each) => !encodingNames.has(each.toUpperCase()))]
  const own = given.find((each) => /^X-./i.test(each) && !meaningless.has(each.toLowerCase()))
  const types = given.filter((each) => each !== own).map((each) => each.toLowerCase())
  const [charset = encoding] = of('CHARSET')
  const value = decodeBinary(plainOf(head.value, transferOf(text)), charset) ?? decodeUnknown(head, text, encoding)
  if (value === undefined) throw new FileFault(`has text that is not ${charset}`, line)
  return {
    ...{
      group: group?.toLowerCase(),
      name,
      value: withoutYear(value, of('X-APPLE-OMIT-YEAR')[0]),
      altId: of('ALTID')[0],
      language: of('LANGUAGE')[0]?.toLowerCase(),
    },
    types: types.filter((type) => !meaningless.has(type)),
    label: own && labelIn(own),
    isPreferred: types.includes('pref') || of('PREF').includes('1'),
  }
}

/** A day in the year that Apple writes for none, as vCard 4.0 writes it: `--0304`. */
function withoutYear(value: string, omitted: string | undefined): string {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(value) ?? []
  return year !== undefined && year === omitted ? `--${month}${day}` : value
}

/** The value of a property whose charset is wrong or unknown: it may be that of the file. */
function decodeUnknown({ value }: Head, text: Binary, encoding: string): string | undefined {
  const plain = plainOf(value, transferOf(text))
  return decodeBinary(plain, 'utf-8') ?? decodeBinary(plain, encoding)
}

/** Splits a property before its value; undefined: the line is none. */
function headOf(text: Binary, encoding: string): Head | undefined {
  const found = /^(?:([\w-]+)\.)?([\w-]+)/.exec(text)
  if (!found) return undefined
  const parameters: Parameter[] = []
  let at = found[0].length
  while (text[at] === ';') {
    const end = endOfParameter(text, at + 1)
    parameters.push(parameterOf(textOf(text.slice(at + 1, end), encoding)))
    at = end
    if (parameters.length > parametersMax) return undefined
  }
  if (text[at] !== ':') return undefined
  return { group: found[1], name: found[2]!.toUpperCase(), parameters, value: text.slice(at + 1) }
}

function textOf(binary: Binary, encoding: string): string {
  return decodeBinary(binary, 'utf-8') ?? decodeBinary(binary, encoding) ?? binary
}

function endOfParameter(text: string, begin: number): number {
  for (let at = begin; at < text.length; at++) {
    if (text[at] === ';' || text[at] === ':') return at
    const closing = text[at] === '"' ? text.indexOf('"', at + 1) : -1
    if (closing !== -1) at = closing
  }
  return text.length
}

function parameterOf(text: string): Parameter {
  const [, name, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  return name === undefined ? { name, value: text } : { name: name.toUpperCase(), value: value! }
}

function typesIn(value: string): string[] {
  const quoted = /^"(.*)"$/s.exec(value)
  const unescaped = (text: string) =>
    text.replace(/\^[n'^]/g, (pair) => (pair === '^n' ? '\n' : pair === "^'" ? '"' : '^'))
  if (quoted && !/^"[\w-]+(?:,[\w-]+)+"$/.test(value)) return [unescaped(quoted[1]!)]
  return value.replaceAll('"', '').split(',')
}

/** `Büro` of `X-Büro` and of `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42=C3=BC=72=6F)`. */
function labelIn(type: string): string | undefined {
  const custom = /^X-CUSTOM\((?:CHARSET=([^,()]*),)?(?:ENCODING=QUOTED-PRINTABLE,)?(.*)\)$/is.exec(type)
  if (!custom) return type.slice('X-'.length)
  return decodeBinary(unquoted(custom[2]!), custom[1] || 'utf-8')
}

/** The bytes of a value. */
function plainOf(value: Binary, transfer: ReturnType<typeof transferOf>): Binary {
  if (transfer === 'quoted') return unquoted(value)
  if (transfer === undefined) return value
  try {
    return atob(value.replace(/\s/g, ''))
  } catch {
    return value
  }
}

function unquoted(text: Binary): Binary {
  return text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The parts of a structured value, without escapes. */
export function partsOf(value: string): string[] {
  const parts: string[] = []
  let begin = 0
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\') at++
    else if (value[at] === ';') {
      parts.push(value.slice(begin, at))
      begin = at + 1
    }
  }
  return [...parts, value.slice(begin)].map(unescapeText)
}

export function unescapeText(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, next: string) => (next === 'n' || next === 'N' ? '\n' : next)).trim()
}
