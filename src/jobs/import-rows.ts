import { notAnObject, tooLarge } from '../crm/bulk-job.ts'
import { isPlainObject } from '../engine/definition/fields.ts'
import type { Resource } from '../engine/definition/resource.ts'
import { parseJson } from '../engine/write/exact-numbers.ts'
import { readCreate } from '../engine/write/validate.ts'
import { insert, type Limits } from '../engine/write/write.ts'
import type { Reader } from '../store/reader.ts'
import { inSavepoint, type RowWork, rowErrors } from './row-work.ts'

/** Validates a record of an import, given as JSON. Its work creates the record, or reports its errors. */
export function importRow(resource: Resource, reader: Reader, limits: Limits, text: string, row: number): RowWork {
  const record = parseJson(text)
  if (typeof record === 'number') return () => [{ row, error: tooLarge(record) }]
  if (!isPlainObject(record)) return () => [{ row, error: notAnObject }]
  try {
    const input = readCreate(resource, reader, record)
    return inSavepoint(row, (tx) => insert(resource, tx, input, limits))
  } catch (error) {
    const errors = rowErrors(row, error)
    return () => errors
  }
}
