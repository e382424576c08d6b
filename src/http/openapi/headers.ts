import type { JsonSchema } from '../../engine/records/describe.ts'

interface Header {
  description: string
  schema: JsonSchema
  required?: true
}

const count: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }

/** Belongs to no operation: it is sent if the path has no operation for the method. */
export const allowHeader: Header = { description: 'The methods that the path supports.', schema: text, required: true }

/** Every other header that a response can have. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request. Echoed if sent, generated otherwise.',
    schema: text,
    required: true,
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the window with fewer requests left.',
    schema: count,
    required: true,
  },
  'X-RateLimit-Remaining': { description: 'Requests left in that window.', schema: count, required: true },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds when requests are available in that window again.',
    schema: count,
    required: true,
  },
  RateLimit: { description: 'The same as in the IETF draft: `"minute";r=299;t=60`.', schema: text, required: true },
  'RateLimit-Policy': {
    description: 'All windows: `"minute";q=300;w=60, "day";q=20000;w=86400`.',
    schema: text,
    required: true,
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: count },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string', const: 'Bearer' }, required: true },
  Location: {
    description: 'The path of the created record.',
    schema: { type: 'string', format: 'uri-reference' },
    required: true,
  },
  ETag: { description: 'The version of the record, for `If-Match` and `If-None-Match`.', schema: text, required: true },
  'Kontor-Outcome': {
    description: 'What an upsert has done, or what became of a message.',
    schema: {
      type: 'string',
      enum: ['created', 'updated', 'unchanged', 'stored', 'unmatched', 'held', 'duplicate', 'internal'],
    },
  },
  'Kontor-Duplicate-Of': {
    description: 'The id of another record with the same email or domain, for a key that may read it.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Kontor-Position': {
    description: 'With `--log`: the position of the log that the response shows, or that contains the write.',
    schema: count,
  },
  'Kontor-Leader': {
    description: 'With `--log`: nothing was done here; the address of the server that accepts writes.',
    schema: { type: 'string', format: 'uri' },
  },
  'Kontor-Moved-To': {
    description: 'The address or the name of the server that has the company now.',
    schema: text,
    required: true,
  },
  'Idempotent-Replayed': {
    description: 'The response repeats that of the first request with this `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Kontor-Original-Request-Id': {
    description: 'The `X-Request-Id` of that first request, which an undo takes.',
    schema: text,
  },
  'Cache-Control': { description: 'How long the response may be cached.', schema: text },
  'Content-Security-Policy': { description: 'What the page may load: only from this server.', schema: text },
  'X-Content-Type-Options': { description: 'Always `nosniff`.', schema: text },
  'Referrer-Policy': { description: 'Always `no-referrer`.', schema: text },
  'X-Frame-Options': { description: 'Always `DENY`.', schema: text },
  'Cross-Origin-Opener-Policy': { description: 'Always `same-origin`.', schema: text },
  'Cross-Origin-Resource-Policy': { description: 'Always `same-origin`.', schema: text },
  Link: {
    description:
      'Of a page of a list: the path of the next one, `rel="next"`; the last page has none. Of an error: where to continue instead, `</api-v1-snapshot>; rel="snapshot"`, or `rel="canonical"` with the path of the record into which this one has been merged.',
    schema: text,
  },
  'X-Accel-Buffering': {
    description: '`no` for a stream of events: proxies must pass on each event at once.',
    schema: text,
  },
  'Accept-Ranges': { description: 'Always `bytes`.', schema: text },
  'Content-Range': { description: 'Which bytes of the file the response has.', schema: text },
  'Content-Disposition': { description: 'The name of the file, if the response is one.', schema: text },
  'Permissions-Policy': { description: 'Browser features that the page does not use.', schema: text },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

/** Security headers of every response. */
export const safety: readonly HeaderName[] = [
  'X-Content-Type-Options',
  'X-Frame-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Cache-Control',
]

/** Headers of every response except those of the health checks (decisions B11, E7, E8). */
export const everyResponse: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Kontor-Position',
  ...safety,
]

/** References to headers, in the form of a response's `headers`. */
export function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The headers that a request may carry, as parameters. */
export const requestHeaders = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id for the request, echoed in the response. An invalid id is replaced by a generated one.',
    schema: { type: 'string', pattern: '^[\\w.:/+=@-]{1,128}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`: the write fails with 412 if the record has changed.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An `ETag`: the response is 304 without a body if the record has not changed.',
    schema: text,
  },
  MinPosition: {
    name: 'Kontor-Min-Position',
    in: 'header',
    description:
      'With `--log`: a `Kontor-Position`. The server waits up to a second until it shows it, and then responds with 503.',
    schema: count,
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The `id` of the last event that was received: a stream continues after it, whatever `after` is.',
    schema: text,
  },
} as const

export function requestHeader(name: keyof typeof requestHeaders) {
  return { $ref: `#/components/parameters/${name}` }
}
