import type { JsonObject } from '../engine/validate.ts'
import { ApiError, validationError } from '../errors.ts'
import { batchSize, recordsMax } from './bulk-job.ts'

/** The records of a submit, in batches as they are stored: JSON arrays. Throws INVALID_REQUEST, VALIDATION_ERROR. */
export function readBatches({ records }: JsonObject): { total: number; batches: string[] } {
  if (!Array.isArray(records)) {
    throw new ApiError('INVALID_REQUEST', 'The body must be of the form {"records": [...]}')
  }
  if (records.length === 0) throw new ApiError('INVALID_REQUEST', 'No records provided')
  if (records.length > recordsMax) {
    const message = `At most ${recordsMax} records can be sent at once; these are ${records.length}`
    throw validationError([{ field: 'records', message, code: 'TOO_LONG' }])
  }
  const batches: string[] = []
  for (let first = 0; first < records.length; first += batchSize) {
    batches.push(textOf(records.slice(first, first + batchSize)))
  }
  return { total: records.length, batches }
}

/** The list, a record, and more than its metadata may be nested. */
const nestingMax = 40

// Of ECMAScript's JSON.parse source text access; TypeScript does not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Text that reads as the same records again. */
function textOf(records: unknown[]): string {
  try {
    const text = JSON.stringify(records)
    // 1e400 was read as infinity, which was now written as null: a valid value in place of one that is not.
    if (!text.includes('null') || !holdsInfinity(records)) return text
    return JSON.stringify(records, (_, value) => (isInfinite(value) ? rawJSON('1e999') : value))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApiError('INVALID_REQUEST', 'The records are nested too deeply', { cause: error })
  }
}

/** Where it would be stored: what is nested deeper is refused (metadata) or ignored. */
function holdsInfinity(value: unknown, depth = nestingMax): boolean {
  if (typeof value !== 'object' || value === null) return isInfinite(value)
  return depth > 0 && Object.values(value).some((each) => holdsInfinity(each, depth - 1))
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}
