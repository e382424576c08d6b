import { setImmediate as nextTurn } from 'node:timers/promises'
import { isPlainObject } from '../engine/records/kinds/fields.ts'
import type { JsonObject } from '../engine/records/rows/validate.ts'
import { ApiError } from '../errors.ts'
import { envelopeMembers } from '../features/imports/envelope.ts'
import { JsonScanner } from '../lib/json-scanner.ts'
import { parseJson } from './json.ts'

/** Other requests get a turn after this many bytes, which take a few milliseconds. */
const bytesPerTurn = 2 ** 19
/** The time that each record takes, expressed as bytes of text. */
const bytesPerRecord = 64

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
export async function readRecords(bytes: Buffer, { depthMax, ...bounds }: Bounds): Promise<JsonObject> {
  const scanner = new JsonScanner(bytes, { depthMax })
  if (scanner.peek() !== '{') throw invalid('The body must be a JSON object')
  const found: JsonObject = {}
  try {
    scanner.enter('{')
    while (scanner.hasNext('}')) {
      const name = parseName(scanner.value())
      scanner.expect(':')
      const isList = name === 'records' && scanner.peek() === '['
      const value = isList ? await readElements(scanner, bounds) : await readValue(scanner, bounds.recordBytesMax)
      if (name === 'records' || envelopeMembers.includes(name)) found[name] = value
      if (Array.isArray(value) && value.length > bounds.recordsMax) return found
    }
    scanner.end()
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(`The body is not valid JSON: ${error.message}`)
    if (error instanceof RangeError) throw invalid(`The body is ${error.message}`)
    throw error
  }
  return found
}

function parseName(text: string): string {
  const name = parseJson(text)
  if (typeof name === 'string') return name
  throw new SyntaxError('the name of a member must be a string')
}

async function readElements(
  scanner: JsonScanner,
  { recordBytesMax, recordsMax }: Omit<Bounds, 'depthMax'>,
): Promise<string[]> {
  const texts: string[] = []
  let bytes = 0
  scanner.enter('[')
  while (scanner.hasNext(']')) {
    await skipValue(scanner)
    texts.push(readRecord(scanner, recordBytesMax))
    if (texts.length > recordsMax) break
    bytes += scanner.valueBytes + bytesPerRecord
    if (bytes < bytesPerTurn) continue
    bytes = 0
    await nextTurn()
  }
  return texts
}

function readRecord(scanner: JsonScanner, bytesMax: number): string {
  if (scanner.valueBytes > bytesMax) return String(scanner.valueBytes)
  const text = scanner.text()
  return isPlainObject(parseJson(text)) ? text : 'null'
}

/** Parses the next value. Returns the number of bytes instead of one that is too large. */
async function readValue(scanner: JsonScanner, bytesMax: number): Promise<unknown> {
  await skipValue(scanner)
  return scanner.valueBytes > bytesMax ? scanner.valueBytes : parseJson(scanner.text())
}

async function skipValue(scanner: JsonScanner): Promise<void> {
  scanner.begin()
  while (!scanner.advance(bytesPerTurn)) await nextTurn()
}

function invalid(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message)
}
