import * as v from 'valibot'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { detailOf, oneOf, requireKnown, rule } from '../engine/records/definition/faults.ts'
import { isPlainObject } from '../engine/records/kinds/fields.ts'
import { type Detail, validationError } from '../errors.ts'
import { parseSpan } from '../lib/moment.ts'
import { clockEnds, lastMs } from './clock.ts'

/** Reads an object with these members and no others. Throws VALIDATION_ERROR with every fault. */
export function readMembers<T extends v.ObjectEntries>(
  body: object,
  members: T,
): v.InferOutput<v.ObjectSchema<T, undefined>> {
  const details: Detail[] = []
  requireKnown(body, Object.keys(members), details)
  const result = v.safeParse(v.object(members), body)
  if (!result.success) details.push(...result.issues.map((issue) => ({ ...detailOf(issue), ...codeOf(issue) })))
  if (details.length > 0) throw validationError(details)
  return result.output as v.InferOutput<v.ObjectSchema<T, undefined>>
}

/** What `strict` rejects because of a member. */
function codeOf({ type, expected }: v.BaseIssue<unknown>): Partial<Detail> {
  if (type !== 'strict_object') return {}
  return { code: expected === 'never' ? 'INVALID_VALUE' : 'REQUIRED' }
}

/** An object within a body, with these members and no others. */
export function strict<T extends v.ObjectEntries>(name: string, members: T) {
  return v.pipe(
    v.custom<object>(isPlainObject, `${name} must be an object`),
    v.strictObject(members, ({ expected, received }) => {
      if (expected === 'never') return oneOf(`Unknown member ${received}`, Object.keys(members))
      return `${expected} is required`
    }),
  )
}

/** A time of a clock, as milliseconds since 1970. */
export function moment(name: string) {
  const message = `${name} must be a timestamp such as 2026-01-05T09:00:00Z`
  return v.pipe(
    v.string(message),
    rule('INVALID_FORMAT', (text) => (parseSpan(text)?.start ?? -1) >= 0, message),
    rule('OUT_OF_RANGE', (text) => (parseSpan(text)?.start ?? 0) <= lastMs, clockEnds),
    v.transform((text) => parseSpan(text)!.start),
  )
}

export function wholeNumber(name: string, min: number, max: number) {
  const message = `${name} must be a whole number from ${min} to ${max}`
  return v.pipe(
    v.number(message),
    rule('OUT_OF_RANGE', (value) => Number.isInteger(value) && value >= min && value <= max, message),
  )
}

export function choice<const T extends readonly string[]>(name: string, allowed: T) {
  const message = `${name} must be one of ${allowed.join(', ')}`
  return v.pipe(
    v.string(message),
    rule('INVALID_VALUE', (value) => allowed.includes(value), message),
    v.transform((value) => value as T[number]),
  )
}

export function text(name: string, lengthMax: number) {
  const message = `${name} must be a text of 1 to ${lengthMax} characters`
  return v.pipe(
    v.string(message),
    rule('INVALID_VALUE', (value) => value.length >= 1, message),
    rule('TOO_LONG', (value) => value.length <= lengthMax, message),
  )
}

export function data(value: unknown): ApiResponse {
  return { status: 200, body: JSON.stringify({ data: value }) }
}

export function created(value: unknown, location: string): ApiResponse {
  return { ...data(value), status: 201, headers: ['Location', location] }
}
