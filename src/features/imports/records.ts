import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { ApiError, validationError } from '../../errors.ts'

/** The maximum number of records in a bulk import (spec: Limits). */
export const recordsMax = 1000
export const batchSize = 100

/** The error for a record that is not an object (decision D8). */
export const notAnObject = 'Record must be an object'

/** The error for a record that is larger than the body of a create request. A stored batch contains its size in bytes instead of the record. */
export function tooLarge(bytes: number): string {
  return `Record is too large: ${bytes} bytes`
}

/** The records of a job, divided into batches: JSON arrays. */
export interface Batches {
  total: number
  batches: readonly string[]
}

/** Divides the records of a bulk import, given as JSON texts, into batches. Throws INVALID_REQUEST, VALIDATION_ERROR. */
export function readBatches({ records }: JsonObject): Batches {
  if (!Array.isArray(records)) {
    throw new ApiError('INVALID_REQUEST', 'The body must be of the form {"records": [...]}')
  }
  if (records.length === 0) throw new ApiError('INVALID_REQUEST', 'No records provided')
  if (records.length > recordsMax) {
    const message = `At most ${recordsMax} records can be sent at once`
    throw validationError([{ field: 'records', message, code: 'TOO_LONG' }])
  }
  return batchesOf(records)
}

/** Divides JSON texts into batches. */
export function batchesOf(texts: readonly string[]): Batches {
  const batches: string[] = []
  for (let first = 0; first < texts.length; first += batchSize) {
    batches.push(`[${texts.slice(first, first + batchSize).join()}]`)
  }
  return { total: texts.length, batches }
}
