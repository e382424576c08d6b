import { ApiError } from '../../../errors.ts'
import { withKnownNames } from '../../../files/sure-names.ts'
import { pluralOf } from '../../../lib/plural.ts'
import { get, lines, onceOf, post } from '../data/http.ts'
import { resourceOf } from '../session/session.ts'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'
import { cellFaults, listRecords, type Prepared } from './import-plan.ts'

/** How an import treats records that exist already (decision K3). None: every row becomes a new record. */
interface Envelope {
  match_on?: string
  mode?: 'merge' | 'fill_empty' | 'create_only'
  dry_run?: true
}

/** What happened to a row, or would happen. */
export interface RowResult {
  outcome: 'created' | 'updated' | 'unchanged' | 'failed'
  /** The id of its record; null if there is none. */
  id: string | null
  errors: string[]
}

/** The results of rows of the sheet, by their index from 0. */
export type Results = Map<number, RowResult>

/** Limits of one request, both below those of the server. */
const recordsPerRequest = 1_000
const bytesPerRequest = 700_000
const pollMs = 50
const pollMsMax = 400
/** How often, and after how long, a request is repeated: for a minute. */
const attemptsMax = 60
const retryMs = 1_000

export interface Job {
  id: string
  /** `import_contacts` */
  type: string
  status: 'queued' | 'processing' | 'completed' | 'failed'
  match_on: string | null
  processed_records: number
  successful_records: number
  created_records: number
  updated_records: number
  unchanged_records: number
  failed_records: number
  errors: { row: number; field?: string; error: string }[]
  created_at: string
}

export interface JobResult extends Omit<RowResult, 'errors'> {
  row: number
  errors: { field?: string; error: string }[]
}

export function resultsOf(jobId: string, signal?: AbortSignal): Promise<JobResult[]> {
  return lines<JobResult>(`/api-v1-bulk/jobs/${jobId}/results`, signal)
}

interface CheckOptions {
  match_on: string | undefined
  onProgress: (done: number) => void
  /** Whether another check has taken the place of this one. */
  hasLeft: () => boolean
}

/** Asks the server what an import would do. Nothing is written. */
export async function checkRecords(
  of: string,
  { records, sure }: Pick<Prepared, 'records' | 'sure'>,
  { match_on, onProgress, hasLeft }: CheckOptions,
): Promise<Results> {
  const rows = records.map((_, row) => row)
  const envelope = { dry_run: true, ...(match_on && { match_on }) } as const
  const { results } = await runJobs(of, { records, sure, rows, envelope }, onProgress, hasLeft)
  for (const [row, record] of records.entries()) {
    const own = cellFaults(of, record)
    if (own.length > 0) results.set(row, failed([...(results.get(row)?.errors ?? []), ...own]))
  }
  return results
}

export interface Outcome {
  /** The ids of the jobs that imported the rows. */
  jobs: string[]
  results: Results
}

interface Work extends Pick<Prepared, 'records' | 'sure'> {
  /** The rows to import, by index. */
  rows: readonly number[]
  envelope: Envelope
}

/**
 * Imports rows, one job at a time, and waits for each. If the server refuses a part, or cannot be reached for a while, that part and those
 * after it fail with this reason, so that what was imported before is not imported again. A dry run throws instead. Rows that have not been
 * sent when the user has left are not imported.
 */
export async function runJobs(
  of: string,
  work: Work,
  onProgress: (done: number) => void,
  hasLeft = () => false,
): Promise<Outcome> {
  const outcome: Outcome = { jobs: [], results: new Map() }
  try {
    for (const rows of partsOf(work)) {
      if (hasLeft()) break
      const before = outcome.results.size
      await runJob(of, { ...work, rows }, outcome, (done) => onProgress(before + done))
    }
  } catch (error) {
    if (work.envelope.dry_run) throw error
    fillIn(outcome, work.rows, (error as Error).message)
  }
  return outcome
}

async function runJob(
  of: string,
  { records, sure, rows, envelope }: Work,
  { jobs, results }: Outcome,
  onProgress: (done: number) => void,
): Promise<void> {
  const given = rows.map((row) => records[row]!)
  const sureOnes = rows.map((row) => sure[row])
  // A check says at once that the server cannot be reached: nothing is lost.
  const request = envelope.dry_run ? <T>(ask: () => Promise<T>) => ask() : patiently
  const named = await request(() => withKnownNames(given, sureOnes, envelope.match_on, listRecords))
  const body = { ...envelope, records: named }
  const path = `/api-v1-bulk/${pluralOf(resourceOf(of))}`
  const once = onceOf(path, body)
  const { job_id } = await request(() => post<{ job_id: string }>(path, body, once))
  jobs.push(job_id)
  const job = await finished(job_id, onProgress)
  for (const { row, outcome, id, errors } of await patiently(() => resultsOf(job_id))) {
    results.set(rows[row - 1]!, { outcome, id, errors: errors.map(({ error }) => serverText(error)) })
  }
  // A job that was cancelled or broke has no results of its last rows. Its last error says why.
  fillIn({ jobs, results }, rows, job.errors.at(-1)?.error ?? t('The import has ended before this row'))
  onProgress(rows.length)
}

/** Rows without a result fail for this reason. */
function fillIn({ results }: Outcome, rows: readonly number[], reason: string): void {
  for (const row of rows) if (!results.has(row)) results.set(row, failed([reason]))
}

export function failed(errors: string[]): RowResult {
  return { outcome: 'failed', id: null, errors }
}

async function finished(id: string, onProgress: (done: number) => void): Promise<Job> {
  for (let waitMs = pollMs; ; waitMs = Math.min(waitMs * 1.5, pollMsMax)) {
    const job = await patiently(() => get<Job>(`/api-v1-bulk/jobs/${id}`))
    onProgress(job.processed_records)
    if (job.status === 'completed' || job.status === 'failed') return job
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Repeats a read, or what the server does once, while it cannot be reached, for example because it is being upgraded. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === attemptsMax || !(error instanceof ApiError) || error.code !== 'SERVICE_UNAVAILABLE') throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** Divides the rows by the size of a request. */
function partsOf({ records, rows }: Work): number[][] {
  const parts: number[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = JSON.stringify(records[row]).length * 3
    if (bytes + size > bytesPerRequest || parts.at(-1)!.length >= recordsPerRequest) {
      parts.push([])
      bytes = 0
    }
    bytes += size
    parts.at(-1)!.push(row)
  }
  return parts
}
