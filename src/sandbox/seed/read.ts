import { readFileSync, statSync } from 'node:fs'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { OperatorError } from '../../errors.ts'
import { parseExact } from '../../lib/exact-json.ts'

const bytesMax = 64 * 2 ** 20

/** Reads a seed file: a JSON object. Throws OperatorError. */
export function readSeed(path: string): JsonObject {
  const text = readText(path)
  try {
    const seed: unknown = parseExact(text)
    if (isPlainObject(seed)) return seed as JsonObject
  } catch (error) {
    const message = (error as Error).message.replaceAll(/\s+/g, ' ') // it quotes the text
    throw new OperatorError(`${path} is not valid JSON: ${message}.`, { cause: error })
  }
  throw new OperatorError(`${path} must be a JSON object such as {"organizations": [{"name": "Acme"}]}.`)
}

function readText(path: string): string {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) throw new OperatorError(`${path} is not a file.`)
    if (stats.size > bytesMax) throw new OperatorError(`${path} is larger than ${bytesMax / 2 ** 20} MiB.`)
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot read the seed file ${path}: ${(error as Error).message}.`, { cause: error })
  }
}
