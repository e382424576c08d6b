/** Every code an error answer can carry, with its HTTP status (spec: Errors; API_KEY_INACTIVE: decision A4). */
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
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** What is wrong with one field (decision B8). */
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
  /** Only where HTTP has a status of its own for a transport fault (decision B2). */
  status?: number
  headers?: Record<string, string>
  cause?: unknown
}

/** An expected failure, safe to show to the caller. Anything else that is thrown is a bug of ours. */
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

/** The one way to report invalid fields: all at once, the first one's message on top (decision B8). */
export function validationError(details: Detail[]): ApiError {
  return new ApiError('VALIDATION_ERROR', details[0]!.message, { details })
}

/** A failure of the operator's making: told on standard error in one sentence, without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
