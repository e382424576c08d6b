import { ApiError } from '../errors.ts'
import type { Shortage } from '../lib/budget.ts'

/** The error for a lack of capacity: 429 if the client itself uses too much, 503 if the server is full. */
export function overloaded(short: Shortage, what: string): ApiError {
  const headers = { 'Retry-After': '1' }
  return short === 'share'
    ? new ApiError('RATE_LIMIT_EXCEEDED', `Too many ${what} for one client: wait until some have ended`, { headers })
    : new ApiError('SERVICE_UNAVAILABLE', `The server has too many ${what}: try again in a second`, { headers })
}
