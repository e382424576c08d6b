import { randomUUID } from 'node:crypto'
import type { Resource } from '../../engine/records/define.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { readCreate } from '../../engine/records/rows/validate.ts'
import { ApiError, OperatorError } from '../../errors.ts'
import { notAnObject, recordsMax } from '../../features/imports/records.ts'
import type { RowError, RowResult } from '../../features/imports/results.ts'
import { settleReferences } from '../../files/references.ts'
import type { FileRecord, Shape } from '../../files/shape.ts'
import { withKnownNames } from '../../files/sure-names.ts'
import type { Reader } from '../../store/reader.ts'
import { failureOf } from '../failure.ts'
import { printAside } from '../print.ts'
import { type Api, type Envelope, Refused } from './api.ts'
import type { Failures } from './failures.ts'
import type { Existing, Outcome, Place } from './outcome.ts'
import { noteRemark, type Prepared, type Row } from './prepare.ts'
import type { LineResult, Results } from './results.ts'
import { describeStop } from './summary.ts'

interface Import {
  resource: Resource
  shape: Shape
  prepared: Prepared
  failures: Failures
  results: Results
  api: Api
  envelope: Envelope
  /** What the records of a dry run are compared with existing ones by. */
  comparedBy: readonly string[]
  show(done: Outcome): void
}

/** The size of a request, well below the body size that servers accept. */
const bodyCharactersMax = 4 * 2 ** 20
const examplesMax = 20
/** The exit code of a program that SIGINT has ended. */
const interrupted = 130

/** Imports a file, a thousand records at a time, and writes the rows that fail with the reasons. */
export async function runImport(given: Import): Promise<Outcome> {
  const { resource, prepared, failures, results, api, envelope } = given
  const existing = given.comparedBy.map((by): Existing => ({ by, rows: 0, examples: [] }))
  const outcome: Outcome = { created: 0, updated: 0, unchanged: 0, failed: 0, jobs: [], existing }
  const run = randomUUID()
  let submits = 0
  let characters = 0
  let rows: Row[] = []
  let lines: LineResult[] = []
  const place: Place = { line: 0, isSending: false, job: undefined }
  const interrupt = () => {
    printAside(`\nInterrupted. ${describeStop(outcome, place, resource)}`)
    process.exit(interrupted)
  }
  process.once('SIGINT', interrupt)
  try {
    for await (const row of prepared.rows()) {
      const faults = faultsOf(resource, row)
      if (faults.length > 0) fail(row, faults)
      else {
        rows.push(row)
        characters += JSON.stringify(row.record).length
      }
      if (rows.length >= recordsMax || characters > bodyCharactersMax) await send()
    }
    if (rows.length > 0) await send()
    results.add(lines)
    return outcome
  } catch (error) {
    if (error instanceof Refused) place.isSending = false
    if (outcome.jobs.length === 0 && !place.isSending) throw error
    throw new OperatorError(`${failureOf(error).message} ${describeStop(outcome, place, resource)}`, { cause: error })
  } finally {
    process.off('SIGINT', interrupt)
    failures.close()
    results.close()
  }

  function fail(row: Row, errors: RowError[]): void {
    note(row, { outcome: 'failed', id: null, errors })
  }

  function note(row: Row, result: RowResult): void {
    outcome[result.outcome]++
    lines.push({ line: row.line, ...result })
    if (result.outcome === 'failed') failures.add(row, result.errors.map(textOf))
  }

  async function send(): Promise<void> {
    const { line } = rows.at(-1)!
    const sent = await settled()
    const records = await withKnownNames(
      sent.map(({ record }) => record as FileRecord),
      sent.map(({ sure }) => sure),
      envelope.match_on,
      api.list,
    )
    const submit = (own: Envelope) => {
      place.isSending = !own.dry_run
      const onJob = (id: string) => {
        if (own.dry_run) return
        place.job = id
        outcome.jobs.push(id)
      }
      return api.importAll(records, { id: `import-${run}-${++submits}`, envelope: own, onJob })
    }
    const done = records.length > 0 ? await submit(envelope) : []
    for (const [index, result] of done.entries()) note(sent[index]!, result)
    for (const each of done.length > 0 ? existing : []) {
      const compared = await submit({ match_on: each.by, mode: 'create_only', dry_run: true })
      for (const [index, { errors }] of compared.entries()) {
        if (done[index]!.outcome === 'created' && errors[0]) add(each, sent[index]!, errors[0].error)
      }
    }
    results.add(lines)
    lines = []
    Object.assign(place, { line, isSending: false, job: undefined })
    given.show(outcome)
  }

  /** The rows that are sent: those whose references have been found. */
  async function settled(): Promise<Row[]> {
    const waiting = rows
    rows = []
    characters = 0
    const naming = waiting.filter(({ namesOthers }) => namesOthers)
    const records = naming.map(({ record }) => record as FileRecord)
    const { faults, unmatched, left } = await settleReferences(given.shape, records, api.list, prepared.loose)
    prepared.found.unmatched += unmatched
    for (const [index, text] of left) noteRemark(prepared.found.left_out, { line: naming[index]!.line, text })
    for (const [index, fault] of faults) fail(naming[index]!, [{ error: fault }])
    const failed = new Set([...faults.keys()].map((index) => naming[index]))
    return waiting.filter((row) => !failed.has(row))
  }
}

function add(existing: Existing, { line }: Row, reason: string): void {
  existing.rows++
  if (existing.examples.length < examplesMax) existing.examples.push({ line, reason })
}

function textOf({ field, error }: RowError): string {
  return field === undefined ? error : `${field}: ${error}`
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

/** The references whose records are named, and have yet to be looked up. */
function namedIn({ relations }: Resource, record: Record<string, unknown>): string[] {
  return Object.entries(relations).flatMap(([name, { by }]) => (isPlainObject(record[name]) ? [by] : []))
}

/** The errors of the row, and those that the server would report for the record itself. Such a record is not sent. */
function faultsOf(resource: Resource, { record, faults }: Row): RowError[] {
  if (faults.some(({ field }) => field === undefined)) return [...faults]
  if (!isPlainObject(record)) return [{ error: `${notAnObject}; it is ${JSON.stringify(record)}` }]
  try {
    readCreate(resource, anyReference, record, namedIn(resource, record))
    return [...faults]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const others = error.details?.map(({ field, message }) => ({ field, error: message })) ?? [{ error: error.message }]
    const isOwn = (name: unknown) => faults.some(({ field }) => field === name)
    return [...faults, ...others.filter((each) => !('field' in each && isOwn(each.field)))]
  }
}
