import { grants } from '../../access/scopes.ts'
import { namedText } from '../../engine/records/holders.ts'
import { lookupText } from '../../engine/records/select.ts'
import type { Reader } from '../../store/reader.ts'
import type { JobError } from './batch.ts'
import { bulkJob } from './job.ts'
import { lookupResultOf, type RowError, type RowResult } from './results.ts'

/** A job as JSON. Its errors name the records that they are about, if the reader may read these now (decision J3). */
export function jobText(reader: Reader, id: string, scopes: ReadonlySet<string>): string {
  const text = lookupText(bulkJob, reader, id)!
  const job = JSON.parse(text) as { errors: JobError[] }
  if (job.errors.length === 0) return text
  return JSON.stringify({ ...job, errors: namedErrors(reader, id, job.errors, scopes) })
}

/** The errors of a job are the first ones of the results of its rows, in order. */
function namedErrors(reader: Reader, id: string, errors: readonly JobError[], scopes: ReadonlySet<string>): JobError[] {
  const resultOf = lookupResultOf(reader, id)
  let [row, at] = [0, 0]
  return errors.map((error) => {
    at = error.row === row ? at + 1 : 0
    row = error.row
    const stored = resultOf(row)?.errors[at]
    return stored?.error === error.error ? { row, ...namedError(stored, scopes) } : error
  })
}

/** The result of a row as it is shown to a reader with these scopes. */
export function namedResult(result: RowResult, scopes: ReadonlySet<string>): RowResult {
  const { errors, undone } = result
  if (!errors.some(({ holders }) => holders)) return result
  const named = errors.map((error) => namedError(error, scopes))
  return { ...result, errors: named, ...(undone && { undone: { ...undone, message: named[0]!.error } }) }
}

function namedError({ holders, ...shown }: RowError, scopes: ReadonlySet<string>): RowError {
  return holders && grants(scopes, holders.scope) ? { ...shown, error: namedText(shown.error, holders) } : shown
}
