import { parseJson as parse } from '../engine/write/exact-numbers.ts'
import { ApiError } from '../errors.ts'

/** Parses a body. Throws INVALID_REQUEST. */
export function parseJson(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new ApiError('INVALID_REQUEST', `The body is not valid JSON: ${(error as Error).message}`)
  }
}
