import { validationError } from '../errors.ts'

const nameMax = 100

/**
 * The canonical name of a time zone that the runtime knows, such as `Europe/Berlin`; not a distance from UTC, which is one for half a year in many
 * places. Throws VALIDATION_ERROR for `time_zone`.
 */
export function requireTimeZone(text: string): string {
  const zone = /^[A-Za-z]/.test(text) ? lookupTimeZone(text) : undefined
  if (zone !== undefined) return zone
  const message = 'Time zone is unknown: it must be a name such as Europe/Berlin or UTC'
  throw validationError([{ field: 'time_zone', message, code: 'INVALID_VALUE' }])
}

/** The day at a moment in a time zone: `2026-11-26`. A zone that this runtime does not know counts as UTC. */
export function dayIn(timeZone: string, ms: number): string {
  const zone = lookupTimeZone(timeZone) ?? 'UTC'
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(ms)
}

function lookupTimeZone(text: string): string | undefined {
  try {
    return text.length > nameMax
      ? undefined
      : new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
