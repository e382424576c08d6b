import { isMatchable, matchingOn, matchNames } from '../../engine/api/upsert/matching.ts'
import { type Mode, modes } from '../../engine/api/upsert/upsert.ts'
import { declaredOf } from '../../engine/records/declared/declared.ts'
import { invalid, oneOf, quote } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { type Detail, validationError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'

/** What a bulk import says besides its records (decision K3). */
export interface Envelope {
  /** What records are matched by; null: each one is created. */
  match_on: string | null
  /** Null without `match_on`. */
  mode: Mode | null
  dry_run: boolean
}

/** The members of the body of a bulk import besides `records`. */
export const envelopeMembers: readonly string[] = ['match_on', 'mode', 'dry_run'] satisfies (keyof Envelope)[]

/** Throws VALIDATION_ERROR with every invalid member, and SERVICE_UNAVAILABLE while a field that is matched is being indexed. */
export function readEnvelope(resource: Resource, reader: Reader, body: JsonObject): Envelope {
  const details: Detail[] = []
  const envelope = {
    match_on: readMatchOn(resource, reader, body.match_on ?? null, details),
    mode: readMode(body, details),
    dry_run: readDryRun(body.dry_run ?? false, details),
  }
  if (details.length > 0) throw validationError(details)
  return envelope
}

function readMatchOn(resource: Resource, reader: Reader, given: unknown, details: Detail[]): string | null {
  if (given === null) return null
  const declared = declaredOf(resource, reader)
  const name = typeof given === 'string' ? given.trim() : undefined
  if (name !== undefined && isMatchable(resource) && matchingOn(resource, declared, name)) return name
  const message = name === undefined ? 'match_on must be a string' : `${quote(name)} cannot be matched on`
  const others = isMatchable(resource) ? ['metadata.<key> of a unique declared field'] : []
  const code = name === undefined ? 'INVALID_TYPE' : 'INVALID_VALUE'
  details.push(invalid('match_on', oneOf(message, [...matchNames(resource, declared), ...others]), code))
  return null
}

function readMode({ match_on, mode }: JsonObject, details: Detail[]): Mode | null {
  const given = mode ?? null
  const hasMatch = (match_on ?? null) !== null
  if (given === null) return hasMatch ? 'merge' : null
  if (!modes.includes(given as Mode)) {
    details.push(invalid('mode', `mode must be one of: ${modes.join(', ')}`))
  } else if (!hasMatch) details.push(invalid('mode', 'mode needs match_on'))
  return given as Mode
}

function readDryRun(given: unknown, details: Detail[]): boolean {
  if (typeof given !== 'boolean') details.push(invalid('dry_run', 'dry_run must be true or false', 'INVALID_TYPE'))
  return given === true
}
