import * as v from 'valibot'
import type { Row } from '../../engine/records/definition/change.ts'
import { detailOf, invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { type Detail, validationError } from '../../errors.ts'
import { timestamp } from '../../lib/clock.ts'
import { isEmailAddress } from '../../lib/email.ts'
import { parseSpan } from '../../lib/moment.ts'
import { parseUuid } from '../../lib/uuid.ts'
import { hiddenTimes } from './resources.ts'

// What a record of a seed file says that the service sets otherwise. Each function throws VALIDATION_ERROR.

/** In the metadata, the service sets `created_via`. */
export function readOrigin({ metadata }: JsonObject, values: Row): Row {
  return isPlainObject(metadata) && 'created_via' in metadata ? { metadata: values.metadata! } : {}
}

export function readId(id: unknown, field = 'id'): string | undefined {
  if (id === undefined || id === null) return undefined
  const parsed = typeof id === 'string' ? parseUuid(id) : undefined
  if (parsed === undefined) throw validationError([invalid(field, 'id must be a UUID', 'INVALID_FORMAT')])
  return parsed
}

export function readSet(resource: Resource, body: JsonObject): Row {
  const details: Detail[] = []
  const own = Object.values(resource.fields).filter(({ readonly, chosen }) => readonly && !chosen)
  const set = [...own, ...hiddenTimes(resource)].filter(({ name }) => body[name] !== undefined)
  const values = set.map(({ name, label, schema }) => {
    const result = v.safeParse(v.nullable(schema(label)), body[name])
    if (!result.success) details.push({ ...detailOf(result.issues[0]), field: name })
    return [name, result.output] as const
  })
  if (details.length > 0) throw validationError(details)
  return Object.fromEntries(values) as Row
}

export function readTimes(body: JsonObject): Row {
  const times: Record<string, string> = {}
  const details: Detail[] = []
  for (const name of ['created_at', 'updated_at']) {
    if (body[name] === undefined) continue
    const moment = typeof body[name] === 'string' ? parseSpan(body[name]) : undefined
    if (moment) times[name] = timestamp(moment.start)
    else details.push(invalid(name, `${name} must be a timestamp`, 'INVALID_FORMAT'))
  }
  if (details.length > 0) throw validationError(details)
  return times
}

/** Where a mail address takes mail. */
export function readAddress({ address }: JsonObject): Row {
  if (typeof address === 'string' && isEmailAddress(address)) return { address: address.toLowerCase() }
  throw validationError([invalid('address', 'address must be an email address', 'INVALID_FORMAT')])
}
