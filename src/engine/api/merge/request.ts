import { ApiError, type Detail, validationError } from '../../../errors.ts'
import { parseUuid } from '../../../lib/uuid.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Row } from '../../records/definition/change.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { isPlainObject } from '../../records/kinds/fields.ts'
import { settable, unsettable } from '../../records/rows/settable.ts'
import { type JsonObject, readPatch } from '../../records/rows/validate.ts'

export const preferences = ['this', 'newest'] as const
type Preference = (typeof preferences)[number]

/** What a merge is asked to do (decision K6). */
export interface MergeRequest {
  /** The ids of the other records. */
  others: string[]
  /** Whose values the survivor has: its own, or those of the record updated last. */
  prefer: Preference
  /** Values that the survivor gets in any case. */
  fields: Row
  dryRun: boolean
}

export const othersMax = 10

/** Unlike the body of a record, an unknown member is an error: a misspelled `dry_run` would merge. */
const members: readonly string[] = ['with', 'prefer', 'fields', 'dry_run']

/** Reads the body of a merge into the record `id`. Throws VALIDATION_ERROR with every invalid member. */
export function readMerge(resource: Resource, reader: Reader, id: string, body: JsonObject): MergeRequest {
  const details: Detail[] = []
  for (const name of Object.keys(body)) {
    if (!members.includes(name)) details.push(invalid(name, oneOf(`Unknown member ${quote(name)}`, members)))
  }
  const { prefer = 'this', dry_run: dryRun = false } = body
  const others = readOthers(id, body.with, details)
  if (!preferences.includes(prefer as Preference)) {
    details.push(invalid('prefer', `prefer must be one of: ${preferences.join(', ')}`))
  }
  if (typeof dryRun !== 'boolean') details.push(invalid('dry_run', 'dry_run must be true or false', 'INVALID_TYPE'))
  const fields = readFields(resource, reader, body.fields, details)
  if (details.length > 0) throw validationError(details)
  return { others, prefer: prefer as Preference, fields, dryRun: dryRun === true }
}

function readOthers(id: string, given: unknown, details: Detail[]): string[] {
  if (given === undefined) {
    details.push(invalid('with', 'with is required', 'REQUIRED'))
    return []
  }
  if (!Array.isArray(given) || given.length === 0 || given.length > othersMax) {
    const code = !Array.isArray(given) ? 'INVALID_TYPE' : given.length === 0 ? 'INVALID_VALUE' : 'TOO_LONG'
    details.push(invalid('with', `with must be a list of 1 to ${othersMax} ids`, code))
    return []
  }
  const ids = given.map((each) => (typeof each === 'string' ? parseUuid(each) : undefined))
  for (const [at, other] of ids.entries()) {
    const field = `with[${at}]`
    const code = typeof given[at] === 'string' ? 'INVALID_FORMAT' : 'INVALID_TYPE'
    if (other === undefined) details.push(invalid(field, `${field} must be a UUID`, code))
    else if (other === id) details.push(invalid(field, 'A record cannot be merged with itself'))
    else if (ids.indexOf(other) < at) details.push(invalid(field, `${field} is given twice`))
  }
  return ids.filter((each) => each !== undefined)
}

/** The fields are validated as those of a patch, but an unknown one is an error. */
function readFields(resource: Resource, reader: Reader, given: unknown, details: Detail[]): Row {
  if (given === undefined) return {}
  if (!isPlainObject(given)) {
    details.push(invalid('fields', 'fields must be an object', 'INVALID_TYPE'))
    return {}
  }
  const unknown = unsettable(given, Object.keys(settable(resource.fields, false)), 'fields.')
  details.push(...unknown)
  if (unknown.length > 0 || Object.keys(given).length === 0) return {}
  try {
    return readPatch(resource, reader, given as JsonObject)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    details.push(...error.details.map((detail) => ({ ...detail, field: `fields.${detail.field}` })))
    return {}
  }
}
