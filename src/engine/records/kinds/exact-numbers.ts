import { beginsNumber, endOfNumber, longBetween, longNumber, rawNumber, survives } from '../../../lib/exact-json.ts'
import { endOfString } from '../../../lib/json-shape.ts'

/** A number that a double cannot represent exactly. */
interface InexactNumber {
  /** The path of the metadata that contains it, or its own path outside of metadata: member names and array positions. */
  path: readonly (string | number)[]
  /** The number in the request. */
  source: string
}

/** The maximum number of records in a bulk import, each with its metadata and a few numbers. */
const foundMax = 10_000

/** A field is at level 1 in a body, at level 3 in a bulk import, at level 4 in the arguments of a tool, and at level 5 in those of a batch. */
const levelMax = 5

const noted = new WeakMap<object, string>()
const notedMembers = new WeakMap<object, Map<string, string>>()

/** Parses JSON and remembers metadata and members whose numbers have changed by it. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  for (const { path, source } of findInexactNumbers(text)) {
    const [inner, owner] = [at(value, path), at(value, path.slice(0, -1))]
    if (isObject(inner)) noted.set(inner, source)
    else if (isObject(owner)) {
      const members = notedMembers.get(owner) ?? new Map<string, string>()
      notedMembers.set(owner, members.set(String(path.at(-1)), source))
    }
  }
  return value
}

/** The JSON of what `parseJson` returned, with the digits that its members had outside of metadata. */
export function exactText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    const members = isObject(inner) ? inexactMembers(inner) : undefined
    if (!members) return inner
    const given = Object.entries(inner as object).map(([name, each]) => {
      const source = members.get(name)
      return [name, source === undefined ? each : rawNumber(source)]
    })
    return Array.isArray(inner) ? given.map(([, each]) => each) : Object.fromEntries(given)
  })
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The number in parsed metadata that has changed, as the request has it. */
export function lookupInexact(metadata: object): string | undefined {
  return noted.get(metadata)
}

/** The numbers among an object's members that have changed, as the request has them. */
export function inexactMembers(parsed: object): ReadonlyMap<string, string> | undefined {
  return notedMembers.get(parsed)
}

/** Finds the first such number in each metadata of a valid JSON text, and those of other members. */
export function findInexactNumbers(text: string): InexactNumber[] {
  if (!longNumber.test(text)) return []
  const found = new Map<number, InexactNumber>()
  const names = new Map<number, string>() // each is read once: many numbers may be below a long one
  const nameOf = (key: number) => {
    const name = names.get(key) ?? nameAt(text, key)
    names.set(key, name)
    return name
  }
  forEachNumber(text, (source, keys) => {
    const inMetadata = keys.slice(0, levelMax).findIndex((key) => key >= 0 && nameOf(key) === 'metadata')
    const level = inMetadata === -1 ? keys.length - 1 : inMetadata
    if (level < 0 || level >= levelMax || keys[level]! < 0) return
    if (found.has(keys[level]!) || found.size === foundMax || survives(source)) return
    const path = keys.slice(0, level + 1).map((key) => (key < 0 ? -1 - key : nameOf(key)))
    found.set(keys[level]!, { path, source })
  })
  return [...found.values()]
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** `keys` has an entry for each open level: the offset of the member's name in the text, or -1 minus the array position. */
function forEachNumber(text: string, visit: (source: string, keys: readonly number[]) => void): void {
  const keys: number[] = []
  let name = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      name = at
      at = endOfString(text, at)
    } else if (code === colon) keys[keys.length - 1] = name
    else if (code === comma) {
      if (keys[keys.length - 1]! < 0) keys[keys.length - 1]!--
    } else if (code === openObject) keys.push(0)
    else if (code === openArray) keys.push(-1)
    else if (code === closeObject || code === closeArray) keys.pop()
    else if (beginsNumber(code)) {
      const end = endOfNumber(text, at)
      const source = longBetween(text, at, end)
      if (source !== undefined) visit(source, keys)
      at = end - 1
    }
  }
}

function nameAt(text: string, start: number): string {
  return JSON.parse(text.slice(start, endOfString(text, start) + 1))
}
