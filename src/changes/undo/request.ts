import { invalid, oneOf, quote } from '../../engine/records/definition/faults.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { type Detail, validationError } from '../../errors.ts'
import { parseSpan } from '../../lib/moment.ts'
import { parseUuid } from '../../lib/uuid.ts'

/** Which changes to undo (decision G12). */
export type Selector =
  | { by: 'seq'; seq: number }
  | { by: 'request_id'; requestId: string }
  | { by: 'bulk_job_id'; jobId: string }
  | { by: 'key_id'; keyId: string; sinceMs: number }

export interface UndoRequest {
  selector: Selector
  /** Whether fields and records that were changed again since are undone, too. */
  force: boolean
  /** Whether to respond with what an undo would do, and to change nothing. */
  dryRun: boolean
}

/** Unlike the body of a record, an unknown member is an error: a misspelled `dry_run` would undo. */
const members: readonly string[] = ['seq', 'request_id', 'bulk_job_id', 'key_id', 'since', 'dry_run', 'force']
const selectors = ['seq', 'request_id', 'bulk_job_id', 'key_id'] as const
export const requestIdMax = 128

/** Throws VALIDATION_ERROR with every invalid member. */
export function readUndo(body: JsonObject): UndoRequest {
  const details: Detail[] = []
  for (const name of Object.keys(body)) {
    if (!members.includes(name)) details.push(invalid(name, oneOf(`Unknown member ${quote(name)}`, members)))
  }
  if ((body.since ?? null) !== null && (body.key_id ?? null) === null) {
    details.push(invalid('since', 'since is for key_id: the other members select exact changes'))
  }
  const given = selectors.filter((name) => body[name] !== undefined && body[name] !== null)
  const request = {
    selector: readSelector(body, given, details),
    force: readFlag(body, 'force', details),
    dryRun: readFlag(body, 'dry_run', details),
  }
  if (details.length > 0) throw validationError(details)
  return request as UndoRequest
}

function readSelector(body: JsonObject, given: readonly string[], details: Detail[]): Selector | undefined {
  if (given.length !== 1) {
    const message = `Exactly one of ${selectors.join(', ')} is required`
    details.push(invalid(given[1] ?? 'seq', message, given.length === 0 ? 'REQUIRED' : 'INVALID_VALUE'))
    return undefined
  }
  const [name] = given as [(typeof selectors)[number]]
  if (name === 'seq') return { by: name, seq: readSeq(body.seq, details) }
  if (name === 'request_id') return { by: name, requestId: readRequestId(body.request_id, details) }
  if (name === 'bulk_job_id') return { by: name, jobId: readId(body, name, details) }
  return { by: name, keyId: readId(body, name, details), sinceMs: readSince(body.since, details) }
}

function readSeq(value: unknown, details: Detail[]): number {
  if (Number.isSafeInteger(value) && Number(value) >= 1) return Number(value)
  const code = typeof value === 'number' ? 'OUT_OF_RANGE' : 'INVALID_TYPE'
  details.push(invalid('seq', 'seq must be the number of a change', code))
  return 0
}

function readRequestId(value: unknown, details: Detail[]): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= requestIdMax) return value
  const code = typeof value !== 'string' ? 'INVALID_TYPE' : value.trim() === '' ? 'INVALID_VALUE' : 'TOO_LONG'
  details.push(invalid('request_id', `request_id must be a text of 1 to ${requestIdMax} characters`, code))
  return ''
}

function readId(body: JsonObject, name: string, details: Detail[]): string {
  const value = body[name]
  const id = typeof value === 'string' ? parseUuid(value) : undefined
  const code = typeof value === 'string' ? 'INVALID_FORMAT' : 'INVALID_TYPE'
  if (id === undefined) details.push(invalid(name, `${name} must be a UUID`, code))
  return id ?? ''
}

function readSince(value: unknown, details: Detail[]): number {
  const span = typeof value === 'string' ? parseSpan(value) : undefined
  const isMissing = value === undefined || value === null
  const code = isMissing ? 'REQUIRED' : typeof value === 'string' ? 'INVALID_FORMAT' : 'INVALID_TYPE'
  if (!span)
    details.push(invalid('since', 'since must be a timestamp: key_id undoes what the key changed from then on', code))
  return span?.start ?? 0
}

function readFlag(body: JsonObject, name: string, details: Detail[]): boolean {
  const value = body[name] ?? false
  if (typeof value !== 'boolean') details.push(invalid(name, `${name} must be true or false`, 'INVALID_TYPE'))
  return value === true
}
