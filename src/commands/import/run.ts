import { randomUUID } from 'node:crypto'
import { notAnObject, recordsMax } from '../../crm/bulk-records.ts'
import type { Resource } from '../../engine/definition/define.ts'
import { isPlainObject } from '../../engine/definition/fields.ts'
import { readCreate } from '../../engine/write/validate.ts'
import { ApiError } from '../../errors.ts'
import { settleReferences } from '../../files/references.ts'
import type { FileRecord, Shape } from '../../files/shape.ts'
import type { Reader } from '../../store/reader.ts'
import type { Api, Job } from './api.ts'
import type { Failures } from './failures.ts'
import type { Prepared, Row } from './prepare.ts'

export interface Import {
  resource: Resource
  shape: Shape
  prepared: Prepared
  failures: Failures
  api: Api
  show(done: Outcome): void
}

export interface Outcome {
  imported: number
  failed: number
  /** The number of failed records that the server did not report: it reports the first hundred errors of a job. */
  unnamed: number
}

/** The size of a request, well below the body size that servers accept. */
const bodyCharactersMax = 4 * 2 ** 20
/** The size of the jobs that follow one with unreported failures. A job of this size reports all its failures. */
const recordsReported = 100

/** Imports a file, a thousand records at a time, and writes the rows that fail with the reasons. */
export async function runImport(job: Import): Promise<Outcome> {
  const { resource, prepared, failures } = job
  const outcome: Outcome = { imported: 0, failed: 0, unnamed: 0 }
  const run = randomUUID()
  let size = recordsMax
  let submits = 0
  let characters = 0
  let rows: Row[] = []
  try {
    for await (const row of prepared.rows()) {
      const faults = faultsOf(resource, row, prepared)
      if (faults.length > 0) fail(row, faults)
      else {
        rows.push(row)
        characters += JSON.stringify(row.record).length
      }
      if (rows.length >= size || characters > bodyCharactersMax) await send()
    }
    if (rows.length > 0) await send()
    return outcome
  } finally {
    failures.close()
  }

  function fail(row: Row, reasons: string[]): void {
    outcome.failed++
    failures.add(row.cells, reasons)
  }

  async function send(): Promise<void> {
    const records = prepared.isTable ? rows.map(({ record }) => record as FileRecord) : []
    const faults = await settleReferences(job.shape, records, job.api.list)
    for (const [index, fault] of faults) fail(rows[index]!, [fault])
    const sent = rows.filter((_, index) => !faults.has(index))
    rows = []
    characters = 0
    if (sent.length === 0) return
    const done = await job.api.importAll(
      sent.map(({ record }) => record),
      `import-${run}-${++submits}`,
    )
    outcome.imported += done.successful_records
    const reasons = reasonsOf(done, sent.length)
    for (const [index, each] of reasons) fail(sent[index]!, each)
    const unnamed = done.failed_records - reasons.size
    outcome.failed += unnamed
    outcome.unnamed += unnamed
    if (unnamed > 0) size = recordsReported
    job.show(outcome)
  }
}

/** The reasons of the failed records, as far as they are known. */
function reasonsOf({ status, failed_records, successful_records, errors }: Job, sent: number): Map<number, string[]> {
  const reasons = new Map<number, string[]>()
  for (const { row, field, error } of errors) {
    reasons.set(row - 1, [...(reasons.get(row - 1) ?? []), field ? `${field}: ${error}` : error])
  }
  const broken = status === 'failed' ? errors.at(-1)! : undefined
  // If all failed, or all from one row on, the others are known without being reported.
  const first = broken ? broken.row - 1 : successful_records === 0 && failed_records === sent ? 0 : sent
  for (let index = first; index < sent; index++) {
    if (!reasons.has(index)) reasons.set(index, [broken?.error ?? 'Failed for the same reason as the rows before it'])
  }
  return reasons
}

/** References are validated by the server. */
const anyReference: Reader = {
  value: () => 1 as never,
  values: () => [],
  each: () => [],
  row: () => undefined,
  rows: () => [],
  remember: (_, read) => read(),
}

/** The errors that the server would report for the record itself: all of them, whereas a job reports only a hundred. */
function faultsOf(resource: Resource, { record, cells }: Row, { isTable, header }: Prepared): string[] {
  if (isTable && cells.length > header.length) {
    return [`The row has ${cells.length} cells, the header has ${header.length}`]
  }
  if (!isPlainObject(record)) return [`${notAnObject}; it is ${JSON.stringify(record)}`]
  try {
    readCreate(resource, anyReference, record)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.details?.map(({ field, message }) => `${field}: ${message}`) ?? [error.message]
  }
}
