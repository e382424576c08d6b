import { get, post } from './http.ts'
import { cellFaults, type ImportRecord } from './import-plan.ts'
import { resourceOf } from './session.ts'

/** The errors of a row of the sheet, by its index from 0. */
export type RowFaults = Map<number, string[]>

/** Limits of one request, both below those of the server. */
const recordsPerRequest = 1_000
const bytesPerRequest = 700_000
const pollMs = 400

interface Fault {
  row: number
  errors: { field: string; message: string }[]
}

interface Job {
  id: string
  status: 'queued' | 'processing' | 'completed' | 'failed'
  processed_records: number
  failed_records: number
  errors: { row: number; field?: string; error: string }[]
}

/** The rows of one request, with the index of each record's row. */
interface Part {
  rows: number[]
  records: ImportRecord[]
}

/** Asks the server which rows it would reject. Nothing is written. */
export async function checkRecords(
  of: string,
  records: ImportRecord[],
  onProgress: (done: number) => void,
): Promise<RowFaults> {
  const faults: RowFaults = new Map()
  let done = 0
  for (const part of partsOf(records, () => true)) {
    const response = await post<{ faults: Fault[] }>(`/console/check-import/${pluralOf(of)}`, { records: part.records })
    for (const { row, errors } of response.faults) {
      faults.set(
        part.rows[row - 1]!,
        errors.map(({ message }) => message),
      )
    }
    for (const [at, row] of part.rows.entries()) {
      const own = cellFaults(of, part.records[at]!)
      if (own.length > 0) faults.set(row, [...(faults.get(row) ?? []), ...own])
    }
    done += part.rows.length
    onProgress(done)
  }
  return faults
}

export interface Outcome {
  /** The ids of the jobs that imported the rows. */
  jobs: string[]
  imported: number
  /** The errors of rows, found before and during the import. */
  faults: RowFaults
  /** Rows that failed without a message: a job reports the first hundred errors. */
  unexplained: number
}

/** Imports the valid rows, one job at a time, and waits for each. */
export async function importRecords(
  of: string,
  records: ImportRecord[],
  known: RowFaults,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { jobs: [], imported: 0, faults: new Map(known), unexplained: 0 }
  let before = 0
  for (const part of partsOf(records, (row) => !known.has(row))) {
    const { job_id } = await post<{ job_id: string }>(`/api-v1-bulk/${pluralOf(of)}`, { records: part.records })
    outcome.jobs.push(job_id)
    const job = await finished(job_id, (done) => onProgress(before + done))
    before += part.rows.length
    collect(outcome, part, job)
    onProgress(before)
  }
  return outcome
}

function collect(outcome: Outcome, part: Part, job: Job): void {
  const reported = new Set<number>()
  for (const { row, error } of job.errors) {
    const at = part.rows[row - 1]!
    reported.add(at)
    outcome.faults.set(at, [...(outcome.faults.get(at) ?? []), error])
  }
  outcome.unexplained += Math.max(0, job.failed_records - reported.size)
  outcome.imported += part.rows.length - job.failed_records
}

async function finished(id: string, onProgress: (done: number) => void): Promise<Job> {
  for (;;) {
    const job = await get<Job>(`/api-v1-bulk/jobs/${id}`)
    onProgress(job.processed_records)
    if (job.status === 'completed' || job.status === 'failed') return job
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function partsOf(records: ImportRecord[], include: (row: number) => boolean): Part[] {
  const parts: Part[] = []
  let bytes = Number.POSITIVE_INFINITY
  records.forEach((record, row) => {
    if (!include(row)) return
    const size = JSON.stringify(record).length * 3
    if (bytes + size > bytesPerRequest || parts.at(-1)!.rows.length >= recordsPerRequest) {
      parts.push({ rows: [], records: [] })
      bytes = 0
    }
    bytes += size
    parts.at(-1)!.rows.push(row)
    parts.at(-1)!.records.push(record)
  })
  return parts
}

function pluralOf(of: string): string {
  return resourceOf(of).path.replace('api-v1-', '')
}
