import { setImmediate as nextTurn } from 'node:timers/promises'
import { isPlainObject } from '../engine/records/kinds/fields.ts'
import type { JsonObject } from '../engine/records/rows/validate.ts'
import { ApiError } from '../errors.ts'
import { envelopeMembers } from '../features/imports/envelope.ts'
import { JsonScanner } from '../lib/json-scanner.ts'
import { parseJson } from './json.ts'

/** Other requests get a turn after this many bytes, which take a few milliseconds. */
const bytesPerTurn = 2 ** 19
/** The time that each record or member takes, expressed as bytes of text. */
const bytesPerItem = 64

interface Bounds {
  depthMax: number
  /** A record may be as large as the body that creates it alone. */
  recordBytesMax: number
  /** Reading stops at one more record than this. */
  recordsMax: number
}

/**
 * Reads the body of a bulk submit as `{ records: [text, …], … }`: the JSON text of each record, with its syntax checked, and the members beside them. The text is `null`
 * for a record that is not an object, and the number of bytes for one that is too large. Works in slices, because parsing 16 MiB at
 * once can take seconds and hundreds of MiB. Throws INVALID_REQUEST.
 */
export async function readRecords(bytes: Buffer, bounds: Bounds): Promise<JsonObject> {
  const reading = readSlices(bytes, bounds)
  for (let slice = reading.next(); ; slice = reading.next()) {
    if (slice.done) return slice.value
    await nextTurn()
  }
}

/** Work that yields where other requests get a turn. */
type Sliced<T> = Generator<void, T>

function* readSlices(bytes: Buffer, { depthMax, ...bounds }: Bounds): Sliced<JsonObject> {
  const scanner = new JsonScanner(bytes, { depthMax })
  const slices = new Slices(scanner)
  yield* slices.skipSpace()
  if (scanner.peek() !== '{') throw invalid('The body must be a JSON object')
  const found: JsonObject = {}
  try {
    scanner.enter('{')
    while (yield* slices.hasNext('}')) {
      const name = yield* readName(slices, bounds.recordBytesMax)
      yield* slices.skipSpace()
      scanner.expect(':')
      yield* slices.skipSpace()
      const isList = name === 'records' && scanner.peek() === '['
      const value = isList ? yield* readElements(slices, bounds) : yield* readValue(slices, bounds.recordBytesMax)
      if (name === 'records' || envelopeMembers.includes(name)) found[name] = value
      if (Array.isArray(value) && value.length > bounds.recordsMax) return found
      yield* slices.countItem()
    }
    yield* slices.skipSpace()
    scanner.end()
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(`The body is not valid JSON: ${error.message}`)
    if (error instanceof RangeError) throw invalid(`The body is ${error.message}`)
    throw error
  }
  return found
}

/** A name that is too long, which no member has, is empty. */
function* readName(slices: Slices, bytesMax: number): Sliced<string> {
  const { scanner } = slices
  yield* slices.skipValue()
  const name = scanner.valueBytes > bytesMax ? '' : parseJson(scanner.text())
  if (typeof name === 'string') return name
  throw new SyntaxError('the name of a member must be a string')
}

function* readElements(slices: Slices, { recordBytesMax, recordsMax }: Omit<Bounds, 'depthMax'>): Sliced<string[]> {
  const { scanner } = slices
  const texts: string[] = []
  scanner.enter('[')
  while (yield* slices.hasNext(']')) {
    yield* slices.skipValue()
    texts.push(readRecord(scanner, recordBytesMax))
    if (texts.length > recordsMax) break
    yield* slices.countItem()
  }
  return texts
}

function readRecord(scanner: JsonScanner, bytesMax: number): string {
  if (scanner.valueBytes > bytesMax) return String(scanner.valueBytes)
  const text = scanner.text()
  return isPlainObject(parseJson(text)) ? text : 'null'
}

/** Parses the next value. Returns the number of bytes instead of one that is too large. */
function* readValue(slices: Slices, bytesMax: number): Sliced<unknown> {
  const { scanner } = slices
  yield* slices.skipValue()
  return scanner.valueBytes > bytesMax ? scanner.valueBytes : parseJson(scanner.text())
}

/** Reads with a scanner, and gives other requests a turn after each slice, of whatever it is. */
class Slices {
  readonly scanner: JsonScanner
  #end = bytesPerTurn

  constructor(scanner: JsonScanner) {
    this.scanner = scanner
  }

  *skipSpace(): Sliced<void> {
    while (!this.scanner.skipSpace(this.#left)) yield* this.#pause()
  }

  *hasNext(closing: '}' | ']'): Sliced<boolean> {
    yield* this.skipSpace()
    return this.scanner.hasNext(closing)
  }

  *skipValue(): Sliced<void> {
    yield* this.skipSpace()
    this.scanner.begin()
    while (!this.scanner.advance(this.#left)) yield* this.#pause()
  }

  /** Counts the work on a record or a member. */
  *countItem(): Sliced<void> {
    this.#end -= bytesPerItem
    if (this.#left === 0) yield* this.#pause()
  }

  get #left(): number {
    return Math.max(0, this.#end - this.scanner.position)
  }

  *#pause(): Sliced<void> {
    yield
    this.#end = this.scanner.position + bytesPerTurn
  }
}

function invalid(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message)
}
