import type { JsonSchema } from '../../engine/definition/describe.ts'

interface Header {
  description: string
  schema: JsonSchema
  required?: true
}

const count: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }

/** Of no operation, because it comes where the path has none for the method. */
export const allowHeader: Header = { description: 'The methods that the path has.', schema: text, required: true }

/** Every other header of ours that an answer can carry. */
export const headers = {
  'X-Request-Id': { description: "The request's id: the caller's, if it sent one.", schema: text, required: true },
  'X-RateLimit-Limit': { description: 'Requests in the window that has fewer left.', schema: count, required: true },
  'X-RateLimit-Remaining': { description: 'Requests left in it.', schema: count, required: true },
  'X-RateLimit-Reset': { description: 'Unix time in seconds when it has room again.', schema: count, required: true },
  RateLimit: { description: 'The same by the IETF draft: `"minute";r=299;t=60`.', schema: text, required: true },
  'RateLimit-Policy': {
    description: 'Every window: `"minute";q=300;w=60, "day";q=20000;w=86400`.',
    schema: text,
    required: true,
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: count },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string', const: 'Bearer' }, required: true },
  Location: {
    description: 'The path of what was made.',
    schema: { type: 'string', format: 'uri-reference' },
    required: true,
  },
  ETag: { description: 'This state of the record, for `If-Match` and `If-None-Match`.', schema: text, required: true },
  'Idempotent-Replayed': {
    description: 'The answer was given before, to the first request with this `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Cache-Control': { description: 'How long it may be kept.', schema: text },
  'Content-Security-Policy': { description: 'What the page may load: nothing from elsewhere.', schema: text },
  'X-Content-Type-Options': { description: 'Always `nosniff`.', schema: text },
  'Referrer-Policy': { description: 'Always `no-referrer`.', schema: text },
  'X-Frame-Options': { description: 'Always `DENY`.', schema: text },
  'Cross-Origin-Opener-Policy': { description: 'Always `same-origin`.', schema: text },
  'Cross-Origin-Resource-Policy': { description: 'Always `same-origin`.', schema: text },
  'Permissions-Policy': { description: 'What the page does not use.', schema: text },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

/** On every answer: what browsers may do with it. */
export const safety: readonly HeaderName[] = [
  'X-Content-Type-Options',
  'X-Frame-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Cache-Control',
]

/** On every answer but those about the process's health (decisions B11, E7, E8). */
export const everyResponse: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  ...safety,
]

/** References to them, as a response lists its headers. */
export function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The headers that a request may carry, as parameters. */
export const requestHeaders = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of your own, which the answer repeats. Another text than this is replaced by a new one.',
    schema: { type: 'string', pattern: '^[\\w.:/+=@-]{1,128}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`: nothing is written unless the record is still in this state.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An `ETag`: the answer is 304 without a body if the record is still in this state.',
    schema: text,
  },
} as const

export function requestHeader(name: keyof typeof requestHeaders) {
  return { $ref: `#/components/parameters/${name}` }
}
