import { parseJson as parse } from '../engine/records/kinds/exact-numbers.ts'
import { withoutLargeMetadata } from '../engine/records/kinds/large-metadata.ts'
import { ApiError } from '../errors.ts'

/** Parses a body. Metadata that is too large is not parsed: its field refuses what stands for it. Throws INVALID_REQUEST. */
export function parseJson(text: string): unknown {
  try {
    return parse(withoutLargeMetadata(text))
  } catch (error) {
    throw new ApiError('INVALID_REQUEST', `The body is not valid JSON: ${(error as Error).message}`)
  }
}
