import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '../engine/validate.ts'
import { ApiError } from '../errors.ts'
import { parseJson } from './json.ts'
import { type JsonBounds, JsonScanner } from './json-scanner.ts'

/** After so many bytes, other requests have their turn: some milliseconds. */
const bytesPerTurn = 2 ** 19

interface Bounds {
  depthMax: number
  /** One record is at most as large as the body that creates it alone. */
  recordBytesMax: number
}

/**
 * The body of a bulk submit as `{ records: [text, …] }`: each record as its own JSON text, checked for syntax. Where `records`
 * is no array, it is its value. Works in slices, because parsing 16 MiB at once takes hundreds of milliseconds and of MiB.
 * Throws INVALID_REQUEST, 413 for a record that is too large.
 */
export async function readRecords(bytes: Buffer, { depthMax, recordBytesMax }: Bounds): Promise<JsonObject> {
  const bounds: JsonBounds = { depthMax, valueBytesMax: recordBytesMax }
  const scanner = new JsonScanner(bytes, bounds)
  const found: JsonObject = {}
  scanner.enter('{')
  while (scanner.hasNext('}')) {
    const name = parseName(scanner.value())
    scanner.expect(':')
    if (name === 'records' && scanner.peek() === '[') found.records = await readElements(scanner)
    else {
      const value = parseJson(scanner.value())
      if (name === 'records') found.records = value
    }
  }
  scanner.end()
  return found
}

function parseName(text: string): string {
  const name = parseJson(text)
  if (typeof name === 'string') return name
  throw new ApiError('INVALID_REQUEST', 'The body is not valid JSON: the name of a member must be a string')
}

async function readElements(scanner: JsonScanner): Promise<string[]> {
  const texts: string[] = []
  let turnEnd = scanner.at + bytesPerTurn
  scanner.enter('[')
  while (scanner.hasNext(']')) {
    const text = scanner.value()
    parseJson(text)
    texts.push(text)
    if (scanner.at < turnEnd) continue
    await nextTurn()
    turnEnd = scanner.at + bytesPerTurn
  }
  return texts
}
