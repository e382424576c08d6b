/** Every error code with its HTTP status (spec: Errors; API_KEY_INACTIVE: decision A4; COMPANY_MOVED: decision A14). */
export const errorStatus = {
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  API_KEY_REVOKED: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_INACTIVE: 401,
  INSUFFICIENT_PERMISSIONS: 403,
  FEATURE_NOT_ENABLED: 403,
  PLAN_LIMIT_EXCEEDED: 403,
  RATE_LIMIT_EXCEEDED: 429,
  DAILY_LIMIT_EXCEEDED: 429,
  VALIDATION_ERROR: 400,
  INVALID_REQUEST: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  CONFLICT: 409,
  COMPANY_MOVED: 421,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The kind of error of a field (decision B8). */
export type DetailCode =
  | 'REQUIRED'
  | 'INVALID_FORMAT'
  | 'INVALID_TYPE'
  | 'INVALID_VALUE'
  | 'TOO_LONG'
  | 'OUT_OF_RANGE'
  | 'NOT_FOUND'

export interface Detail {
  field: string
  message: string
  code: DetailCode
}

interface ApiErrorOptions {
  details?: Detail[]
  /** If HTTP has a more specific status for the error (decision B2). */
  status?: number
  headers?: Record<string, string>
  cause?: unknown
}

/** An expected error, safe to show to the caller. Any other error that is thrown is a bug. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Detail[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status ?? errorStatus[code]
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

/** More than the fields of a record with all its items. */
const detailsMax = 1_000

/** Reports all invalid fields at once, with the message of the first (decision B8). */
export function validationError(details: Detail[]): ApiError {
  return new ApiError('VALIDATION_ERROR', details[0]!.message, { details: details.slice(0, detailsMax) })
}

export function forbidden(message: string): ApiError {
  return new ApiError('INSUFFICIENT_PERMISSIONS', message)
}

export function bodyTooLarge(bytesMax: number, cause?: unknown): ApiError {
  return new ApiError('INVALID_REQUEST', `The body is larger than ${bytesMax} bytes`, { status: 413, cause })
}

/** An error that the operator can correct. Printed on standard error as one sentence, without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
