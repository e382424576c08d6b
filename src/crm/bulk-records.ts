import type { JsonObject } from '../engine/write/validate.ts'
import { ApiError, validationError } from '../errors.ts'
import { batchSize, recordsMax } from './bulk-job.ts'

/** Divides the records of a bulk import, given as JSON texts, into batches: JSON arrays. Throws INVALID_REQUEST, VALIDATION_ERROR. */
export function readBatches({ records }: JsonObject): { total: number; batches: string[] } {
  if (!Array.isArray(records)) {
    throw new ApiError('INVALID_REQUEST', 'The body must be of the form {"records": [...]}')
  }
  if (records.length === 0) throw new ApiError('INVALID_REQUEST', 'No records provided')
  if (records.length > recordsMax) {
    const message = `At most ${recordsMax} records can be sent at once`
    throw validationError([{ field: 'records', message, code: 'TOO_LONG' }])
  }
  const batches: string[] = []
  for (let first = 0; first < records.length; first += batchSize) {
    batches.push(`[${records.slice(first, first + batchSize).join()}]`)
  }
  return { total: records.length, batches }
}
