import type { Route } from '../../engine/api/call/route.ts'
import type { Description, JsonSchema } from '../../engine/records/describe.ts'
import { type DetailCode, type ErrorCode, errorStatus } from '../../errors.ts'
import { allowHeader, everyResponse, type HeaderName, headerReferences } from './headers.ts'

export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'There is no `Authorization: Bearer` header.',
  INVALID_API_KEY: 'The key is malformed or unknown.',
  API_KEY_REVOKED: 'The key was revoked.',
  API_KEY_EXPIRED: 'The key has expired.',
  API_KEY_INACTIVE: 'The key is inactive.',
  INSUFFICIENT_PERMISSIONS: 'The key does not have the required scope, which the message names.',
  FEATURE_NOT_ENABLED:
    "The company's plan does not include the feature (`bulk_import`, `webhooks`), or the server stores no files or takes no mail.",
  PLAN_LIMIT_EXCEEDED:
    'The workspace has reached the number of records that the plan allows (`max_organizations`, `max_contacts`, `max_deals`). Deleted records do not count. Or the files of the company have as many bytes as it allows (`max_storage_bytes`); those in the trash count.',
  RATE_LIMIT_EXCEEDED:
    'Too many requests in a minute with the key or, without a valid key, from the client address; or too many at the same time.',
  DAILY_LIMIT_EXCEEDED: 'The key has used up its requests for this UTC day.',
  VALIDATION_ERROR: 'Fields, parameters or headers are invalid; `details` lists all of them.',
  INVALID_REQUEST:
    'The request itself is invalid: the body is not a JSON object or has no fields to update, or the method, media type or size is not supported.',
  NOT_FOUND: 'The path or record does not exist. The record may be deleted, or belong to another company or workspace.',
  ALREADY_EXISTS: 'Another record has this unique value. Names of stages are compared case-insensitively.',
  CONFLICT:
    'The current state does not allow the request: a stage or pipeline with deals, and the default pipeline, cannot be deleted; a revoked key cannot be changed; a job that has ended cannot be cancelled; the record does not match `If-Match` (412); the `Idempotency-Key` was used for another request, or its request is still running.',
  COMPANY_MOVED: 'Another server has the company now: `Kontor-Moved-To` says which. Send the request there.',
  INTERNAL_ERROR: 'An unexpected server error.',
  SERVICE_UNAVAILABLE:
    'The server is busy or stopping, or its disk is full or failing: try again after `Retry-After` seconds.',
}

type Faults = Partial<Record<ErrorCode, string>>

const keyFaults: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'API_KEY_INACTIVE',
]
const limitFaults: readonly ErrorCode[] = ['RATE_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED']

/** The errors that many endpoints share, as components. */
const shared: Record<string, { status: number; faults: Faults }> = {
  Malformed: { status: 400, faults: { INVALID_REQUEST: 'The request is not well-formed HTTP/1.1, or has no `Host`.' } },
  InvalidQuery: { status: 400, faults: pick(['VALIDATION_ERROR']) },
  InvalidBody: { status: 400, faults: pick(['VALIDATION_ERROR', 'INVALID_REQUEST']) },
  Unauthorized: { status: 401, faults: pick(keyFaults) },
  Forbidden: { status: 403, faults: pick(['INSUFFICIENT_PERMISSIONS']) },
  NotFound: {
    status: 404,
    faults: { NOT_FOUND: 'The record does not exist. It may be deleted, or belong to another workspace.' },
  },
  NotAcceptable: {
    status: 406,
    faults: {
      INVALID_REQUEST:
        'The client accepts only formats that the list does not have. The message names those that it has.',
    },
  },
  Timeout: { status: 408, faults: { INVALID_REQUEST: 'The request took too long to arrive.' } },
  Repeated: {
    status: 409,
    faults: { CONFLICT: 'The `Idempotency-Key` was used for another request, or its request is still running.' },
  },
  Changed: { status: 412, faults: { CONFLICT: 'The record does not match `If-Match`: it has changed.' } },
  TooLarge: { status: 413, faults: { INVALID_REQUEST: 'The body is larger than the server accepts.' } },
  UrlTooLong: { status: 414, faults: { INVALID_REQUEST: 'The URL is longer than the server accepts.' } },
  UnsupportedType: { status: 415, faults: { INVALID_REQUEST: 'The body is not `application/json` in UTF-8.' } },
  UnsupportedFile: {
    status: 415,
    faults: { INVALID_REQUEST: 'The body is a form, or has a `Content-Encoding`, or `Content-Type` is no media type.' },
  },
  UnsatisfiableRange: { status: 416, faults: { INVALID_REQUEST: '`Range` begins after the end of the file.' } },
  UnmetExpectation: { status: 417, faults: { INVALID_REQUEST: '`Expect` asks for more than `100-continue`.' } },
  Moved: { status: 421, faults: pick(['COMPANY_MOVED']) },
  HeadersTooLarge: { status: 431, faults: { INVALID_REQUEST: 'The request line and headers are too large.' } },
  TooManyRequests: { status: 429, faults: pick(limitFaults) },
  InternalError: { status: 500, faults: pick(['INTERNAL_ERROR']) },
  Unavailable: { status: 503, faults: pick(['SERVICE_UNAVAILABLE']) },
}

export function errorComponents() {
  return Object.fromEntries(
    Object.entries(shared).map(([name, { status, faults }]) => [name, errorResponse(status, faults)]),
  )
}

/** The error responses of an endpoint by status. */
export function errorResponses(route: Route, description: Description): Record<string, JsonSchema> {
  const { errors, gone, linked, scopes, query = [] } = description
  const isList = query.some(({ name }) => name === 'per_page')
  const shares = sharedBy(route, description, route.scope !== 'any' || scopes !== undefined)
  const names = isList ? [...shares, 'NotAcceptable'] : shares
  const responses: Record<string, JsonSchema> = errorReferences(names)
  const feature =
    route.feature === undefined ? {} : { FEATURE_NOT_ENABLED: `The plan does not include \`${route.feature}\`.` }
  const own = Map.groupBy(
    Object.entries({ ...feature, ...errors }) as [ErrorCode, string][],
    ([code]) => errorStatus[code],
  )
  for (const [status, entries] of own) {
    const common = names.map((name) => shared[name]!).find((each) => each.status === status)
    const extra: HeaderName[] = linked && status === 404 ? ['Link'] : []
    responses[status] = errorResponse(status, merge(common?.faults ?? {}, Object.fromEntries(entries)), extra)
  }
  if (gone !== undefined) responses[410] = errorResponse(410, { NOT_FOUND: gone })
  return responses
}

/** The error responses of every endpoint that needs no key. */
export const publicErrors = errorReferences(['TooManyRequests', 'InternalError'])

/** Those of the door for mail. */
export const mailInErrors = {
  ...publicErrors,
  ...errorReferences(['InvalidBody', 'TooLarge', 'UnsupportedFile', 'Unavailable']),
}

/** The error responses to requests that match no endpoint. */
export const strayErrors = {
  ...errorReferences(['Unauthorized', 'NotFound', 'Moved', 'TooManyRequests']),
  405: methodNotAllowed(),
}

/** Errors of HTTP itself, which occur before the endpoint is known. */
export const transportErrors = errorReferences([
  'Malformed',
  'Timeout',
  'UrlTooLong',
  'UnmetExpectation',
  'HeadersTooLarge',
])

function methodNotAllowed() {
  const response = errorResponse(405, {
    INVALID_REQUEST: 'The path does not support the method; `Allow` lists those that it supports.',
  })
  return { ...response, headers: { ...response.headers, Allow: allowHeader } }
}

function errorReferences(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [shared[name]!.status, { $ref: `#/components/responses/${name}` }]))
}

/** spec: Errors */
export function errorSchemas(): Record<string, JsonSchema> {
  const details: readonly DetailCode[] = [
    'REQUIRED',
    'INVALID_FORMAT',
    'INVALID_TYPE',
    'INVALID_VALUE',
    'TOO_LONG',
    'OUT_OF_RANGE',
    'NOT_FOUND',
  ]
  const text = { type: 'string' }
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  return {
    // Not `Error`, which would shadow the built-in type in generated clients.
    ErrorResponse: {
      type: 'object',
      properties: {
        error: {
          type: 'object',
          properties: {
            code: reference('ErrorCode'),
            message: { ...text, description: 'A message for people. If there are `details`, that of the first one.' },
            details: { type: 'array', items: reference('ErrorDetail'), minItems: 1 },
          },
          required: ['code', 'message'],
        },
      },
      required: ['error'],
    },
    ErrorCode: { type: 'string', enum: Object.keys(errorStatus) },
    ErrorDetail: {
      type: 'object',
      properties: {
        field: { ...text, description: 'A field, parameter or header: `emails[1].email`.' },
        message: text,
        code: { type: 'string', enum: details },
      },
      required: ['field', 'message', 'code'],
    },
  }
}

function sharedBy(
  { method, path, takesBody, takesFile }: Route,
  { conditional, sent }: Description,
  scoped: boolean,
): string[] {
  return [
    takesBody || takesFile ? 'InvalidBody' : 'InvalidQuery',
    'Unauthorized',
    ...(scoped ? ['Forbidden'] : []),
    ...(path.includes(':') ? ['NotFound'] : []),
    ...(method === 'POST' ? ['Repeated'] : []),
    ...((conditional ?? ['PATCH', 'DELETE'].includes(method)) ? ['Changed'] : []),
    ...(takesBody ? ['TooLarge', 'UnsupportedType'] : []),
    ...(takesFile ? ['TooLarge', 'UnsupportedFile'] : []),
    ...(sent ? ['UnsatisfiableRange'] : []),
    'Moved',
    'TooManyRequests',
    'InternalError',
    'Unavailable',
  ]
}

function errorResponse(status: number, faults: Faults, extra: readonly HeaderName[] = []) {
  const lines = Object.entries(faults).map(([code, when]) => `- \`${code}\`: ${when}`)
  return {
    description: lines.join('\n'),
    'x-error-codes': Object.keys(faults),
    headers: headerReferences([...everyResponse, ...headersOf(status), ...extra]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
  }
}

/** The headers that only some statuses have. */
function headersOf(status: number): HeaderName[] {
  const own: Record<number, HeaderName[]> = {
    401: ['WWW-Authenticate'],
    409: ['Retry-After'],
    410: ['Link'],
    416: ['Content-Range'],
    421: ['Kontor-Moved-To'],
    429: ['Retry-After'],
    503: ['Retry-After', 'Kontor-Leader'],
  }
  return own[status] ?? []
}

function merge(common: Faults, own: Faults): Faults {
  const codes = [...new Set([...Object.keys(common), ...Object.keys(own)])] as ErrorCode[]
  return Object.fromEntries(codes.map((code) => [code, [own[code], common[code]].filter(Boolean).join(' ')]))
}

function pick(codes: readonly ErrorCode[]): Faults {
  return Object.fromEntries(codes.map((code) => [code, errorMeanings[code]]))
}
