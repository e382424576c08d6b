import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'
import { toApiError } from '../store/constraint.ts'
import type { Layer } from './exchange.ts'
import { errorBody, errorHeaders, send } from './response.ts'

/** Turns everything that later layers throw into an error response. Koa's own error handling is never used. */
export function problem(): Layer {
  return async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const known = toApiError(thrown)
      const error = known instanceof ApiError ? known : internalError(thrown)
      if (error.status >= 500 && error.cause !== undefined) {
        log(error.message, { request_id: ctx.state.requestId, ...errorFields(thrown) }, 'error')
      }
      if (error.status === 429) ctx.state.takeBack?.() // decision E7
      return send(ctx, { status: error.status, body: errorBody(error), headers: errorHeaders(error) })
    }
  }
}

function internalError(cause: unknown): ApiError {
  return new ApiError('INTERNAL_ERROR', 'An unexpected error occurred', { cause })
}
