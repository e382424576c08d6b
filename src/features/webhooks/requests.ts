import { invalid, requireKnown } from '../../engine/records/definition/faults.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { type ApiError, type Detail, validationError } from '../../errors.ts'
import { hourMs } from '../../lib/clock.ts'

export const overlapHoursMax = 168
export const overlapHoursDefault = 24

/** Milliseconds for which the former secret signs, too (decision H2). Throws VALIDATION_ERROR. */
export function readRotation(body: JsonObject): number {
  const details: Detail[] = []
  requireKnown(body, ['overlap_hours'], details)
  const hours = body.overlap_hours ?? overlapHoursDefault
  if (typeof hours !== 'number' || !(hours >= 0 && hours <= overlapHoursMax)) {
    const code = typeof hours === 'number' ? 'OUT_OF_RANGE' : 'INVALID_TYPE'
    details.push(invalid('overlap_hours', `overlap_hours must be a number from 0 to ${overlapHoursMax}`, code))
  }
  if (details.length > 0) throw validationError(details)
  return Number(hours) * hourMs
}

interface ReplayRequest {
  after: number
  until: number
  onlyFailed: boolean
}

/** The changes to deliver again: after a number, up to another one (decision H5). Throws VALIDATION_ERROR. */
export function readReplay(body: JsonObject, { oldest, latest }: { oldest: number; latest: number }): ReplayRequest {
  const details: Detail[] = []
  requireKnown(body, ['after', 'until', 'only_failed'], details)
  const after = readNumber(body, 'after', details)
  const until = (body.until ?? undefined) === undefined ? latest : readNumber(body, 'until', details)
  const onlyFailed = body.only_failed ?? false
  if (typeof onlyFailed !== 'boolean') {
    details.push(invalid('only_failed', 'only_failed must be true or false', 'INVALID_TYPE'))
  }
  if (details.length > 0) throw validationError(details)
  if (until > latest) throw outside('until', `The newest change of the log is ${latest}`)
  if (after < oldest - 1) throw outside('after', `The oldest change of the log is ${oldest}`)
  if (after >= until) throw outside('after', `after must be less than ${until}`)
  return { after, until, onlyFailed: onlyFailed === true }
}

function readNumber(body: JsonObject, name: string, details: Detail[]): number {
  const value = body[name]
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value)
  const code = value === undefined ? 'REQUIRED' : typeof value === 'number' ? 'OUT_OF_RANGE' : 'INVALID_TYPE'
  details.push(invalid(name, `${name} must be the number of a change`, code))
  return 0
}

function outside(field: string, message: string): ApiError {
  return validationError([invalid(field, message, 'OUT_OF_RANGE')])
}
